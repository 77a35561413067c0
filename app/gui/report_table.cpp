// SPDX-License-Identifier: GPL-3.0-or-later
#include "report_table.h"

#include <QHeaderView>
#include <QLocale>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "charts/terms.h"
#include "controls/core_text.h"
#include "format.h"

namespace shardlens {

using namespace Qt::StringLiterals;

void TableModel::setContent(TableContent content) {
    if (content == m_content) return;
    const bool sameShape =
        content.rows.size() == m_content.rows.size() && content.columns.size() == m_content.columns.size();
    if (sameShape) {
        m_content = std::move(content);
        if (!m_content.cells.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
        emit headerDataChanged(Qt::Vertical, 0, rowCount() - 1);
        return;
    }
    beginResetModel();
    m_content = std::move(content);
    endResetModel();
}

QString TableModel::pathAt(const QModelIndex& index) const {
    if (!index.isValid()) return {};
    return m_content.cells[std::size_t(index.row())][std::size_t(index.column())].path;
}

int TableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_content.rows.size());
}
int TableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_content.columns.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const auto& cell = m_content.cells[std::size_t(index.row())][std::size_t(index.column())];
    switch (role) {
    case Qt::DisplayRole: return cell.text;
    case Qt::AccessibleTextRole:
        return u"%1, %2: %3"_s.arg(m_content.rows[index.row()], m_content.columns[index.column()], cell.text);
    case Qt::TextAlignmentRole: return int(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::FontRole:
        if (cell.bold) {
            QFont font;
            font.setBold(true);
            return font;
        }
        return {};
    default: return {};
    }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    const QStringList& names = orientation == Qt::Horizontal ? m_content.columns : m_content.rows;
    if (section < 0 || section >= names.size()) return {};
    if (role == Qt::DisplayRole) return names[section];
    if (role == Qt::TextAlignmentRole)
        return int(orientation == Qt::Horizontal ? Qt::AlignRight | Qt::AlignVCenter | Qt::TextWordWrap
                                                 : Qt::AlignLeft | Qt::AlignVCenter);
    return {};
}

QTableView* makeTableView(QWidget* parent) {
    auto* table = new QTableView(parent);
    table->setFrameShape(QFrame::NoFrame);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false); // Tab leaves the table, the arrow keys move inside it
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setCornerButtonEnabled(false);
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->setShowGrid(false);
    table->setAlternatingRowColors(true);
    table->horizontalHeader()->setDefaultSectionSize(104);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    table->horizontalHeader()->setHighlightSections(false);
    table->verticalHeader()->setHighlightSections(false);
    return table;
}

ReportTable::ReportTable(const Theme& theme, Interaction& interaction, Fill fill, Name name, QWidget* parent)
    : ReportView(theme, interaction, parent), m_fill(std::move(fill)), m_name(std::move(name)),
      m_model(new TableModel(this)), m_table(makeTableView(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
    m_table->setModel(m_model);
    setFocusProxy(m_table);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& index) {
                const QString path = m_model->pathAt(index);
                if (path.isEmpty()) return;
                Target target;
                target.path = path;
                if (const QStringList parts = path.split(u'.'); parts.size() == 4)
                    target.stage = parts[2].toInt();
                this->interaction().setSelected(target);
            });
    retranslate();
}

void ReportTable::reportChanged() { refill(); }

void ReportTable::resizeEvent(QResizeEvent* event) {
    ReportView::resizeEvent(event);
    fitColumns();
}

void ReportTable::fitColumns() {
    // Few columns share the width; many are as wide as their widest text and scroll.
    const int columns = m_model->columnCount();
    if (columns == 0) return;
    QHeaderView* header = m_table->horizontalHeader();
    int wide = 0;
    for (int column = 0; column < columns; ++column) wide = std::max(wide, columnWidth(column));
    const int space = m_table->width() - m_table->verticalHeader()->sizeHint().width() -
                      m_table->verticalScrollBar()->sizeHint().width();
    const auto mode = columns * wide <= space ? QHeaderView::Stretch : QHeaderView::Interactive;
    if (header->sectionResizeMode(0) != mode) header->setSectionResizeMode(mode);
    if (mode == QHeaderView::Stretch) return;
    header->setDefaultSectionSize(wide);
    for (int column = 0; column < columns; ++column) header->resizeSection(column, columnWidth(column));
}

int ReportTable::columnWidth(int column) const {
    QFont bold = m_table->font();
    bold.setBold(true);
    const QFontMetrics metrics(bold);
    const TableContent& content = m_model->content();
    int widest = metrics.horizontalAdvance(content.columns[column]);
    // Only the texts with most characters are laid out: there may be a thousand cells.
    qsizetype longest = 0;
    const auto text = [&](const auto& row) -> const QString& { return row[std::size_t(column)].text; };
    for (const auto& row : content.cells) longest = std::max(longest, text(row).size());
    for (const auto& row : content.cells)
        if (text(row).size() + 1 >= longest) widest = std::max(widest, metrics.horizontalAdvance(text(row)));
    return std::max(48, widest + 14);
}

void ReportTable::refill() {
    m_model->setContent(report() ? m_fill(*report(), pinned().get()) : TableContent{});
    fitColumns();
}

void ReportTable::retranslate() {
    m_table->setAccessibleName(m_name());
    setAccessibleName(m_name());
    refill();
}

ReportTable* makeMemoryTable(const Theme& theme, Interaction& interaction) {
    const auto fill = [](const Report& report, const Report* pinned) {
        TableContent content;
        const auto& stages = report.memory.stages;
        for (const auto& stage : stages) content.columns << ReportTable::tr("Stage %1").arg(stage.stage);
        using Stage = memory::StageLedger<double>;
        const auto add = [&](const QString& name, const QString& key, double Stage::*member, bool bytes,
                             bool bold) {
            content.rows << name;
            auto& row = content.cells.emplace_back();
            for (std::size_t i = 0; i < stages.size(); ++i)
                row.push_back(
                    {bytes ? formatBytes(stages[i].*member) : QLocale().toString(stages[i].*member, 'g', 4),
                     u"memory.stages.%1.%2"_s.arg(i).arg(key), bold});
        };
        content.rows << ReportTable::tr("layers");
        auto& layers = content.cells.emplace_back();
        for (std::size_t i = 0; i < stages.size(); ++i)
            layers.push_back({QString::number(stages[i].layers), u"memory.stages.%1.layers"_s.arg(i), false});
        add(ReportTable::tr("micro-batches in flight"), u"in_flight_micro_batches"_s,
            &Stage::in_flight_micro_batches, false, false);
        for (const MemoryTerm& term : memoryTerms())
            add(term.name(), QString::fromLatin1(term.key), term.bytes, true, false);
        add(ReportTable::tr("total"), u"total_bytes"_s, &Stage::total_bytes, true, true);
        if (pinned) {
            content.rows << ReportTable::tr("total, against pinned");
            auto& row = content.cells.emplace_back();
            for (std::size_t i = 0; i < stages.size(); ++i)
                row.push_back(
                    {i < pinned->memory.stages.size()
                         ? formatDelta(stages[i].total_bytes - pinned->memory.stages[i].total_bytes, u"B"_s)
                         : QString(),
                     {},
                     false});
        }
        add(ReportTable::tr("host memory"), u"host_bytes"_s, &Stage::host_bytes, true, false);
        return content;
    };
    return new ReportTable(theme, interaction, fill,
                           [] { return ReportTable::tr("Memory by stage, table"); });
}

ReportTable* makeTimeTable(const Theme& theme, Interaction& interaction) {
    const auto fill = [](const Report& report, const Report* pinned) {
        TableContent content;
        content.columns << ReportTable::tr("Time") << ReportTable::tr("Share");
        if (pinned) content.columns << ReportTable::tr("Pinned") << ReportTable::tr("Change");
        const auto add = [&](const QString& name, const QString& path, double now, std::optional<double> then,
                             double whole, bool bold) {
            content.rows << name;
            auto& row = content.cells.emplace_back();
            row.push_back({formatSeconds(now), path, bold});
            row.push_back({whole > 0 ? formatShare(now / whole) : QString(), path, bold});
            if (!pinned) return;
            row.push_back({then ? formatSeconds(*then) : QString(), {}, bold});
            row.push_back({then ? formatDelta(now - *then, u"s"_s) : QString(), {}, bold});
        };
        for (const TimePart& part : timeParts())
            add(part.name(), part.path(), report.time.*part.seconds,
                pinned ? std::optional(pinned->time.*part.seconds) : std::nullopt, report.time.step_s, false);
        add(ReportTable::tr("step"), u"time.step_s"_s, report.time.step_s,
            pinned ? std::optional(pinned->time.step_s) : std::nullopt, report.time.step_s, true);
        add(numberName(u"time.hidden_data_comm_s"_s), u"time.hidden_data_comm_s"_s,
            report.time.hidden_data_comm_s,
            pinned ? std::optional(pinned->time.hidden_data_comm_s) : std::nullopt, 0, false);
        return content;
    };
    return new ReportTable(theme, interaction, fill,
                           [] { return ReportTable::tr("Parts of the step, table"); });
}

} // namespace shardlens
