// SPDX-License-Identifier: GPL-3.0-or-later
#include "schedule_picker.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include "controls/core_text.h"
#include "controls/quantity.h"
#include "document.h"
#include "format.h"
#include "plan/fields.h"
#include "report/evaluate.h"
#include "report_table.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPauseMilliseconds = 250;
constexpr double kMillion = 1e6, kBillion = 1e9;

QString nameOf(const ScheduleOption& option) { return translatedChoice(toQString(to_string(option.kind))); }

/// 1.20B: a column has no room for "billion"; Chinese words are short as they are.
QString parametersText(double count) {
    if (QLocale().language() == QLocale::Chinese || count < kMillion) return formatCount(count);
    const bool billions = count >= 0.9995 * kBillion;
    return formatNumber(count / (billions ? kBillion : kMillion)) + QChar(billions ? u'B' : u'M');
}

/// Every rule that the schedule breaks, in one line.
QString reasonOf(const ScheduleOption& option) {
    QStringList reasons;
    for (const Message& message : option.obstacles) reasons << translated(message);
    return reasons.join(u"; "_s);
}

} // namespace

void ScheduleModel::setOptions(std::vector<ScheduleOption> options) {
    beginResetModel();
    m_options = std::move(options);
    endResetModel();
}

void ScheduleModel::setTheme(const Theme& theme) {
    m_theme = theme;
    if (!m_options.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, Columns - 1));
}

void ScheduleModel::retranslate() {
    if (!m_options.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, Columns - 1));
    emit headerDataChanged(Qt::Horizontal, 0, Columns - 1);
}

int ScheduleModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_options.size());
}
int ScheduleModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(Columns);
}

QString ScheduleModel::text(const ScheduleOption& option, int column) const {
    if (column == Schedule) {
        // The current one is marked by more than its weight.
        const QString name = nameOf(option);
        return option.current ? u"▸ "_s + name : name;
    }
    if (!option.legal) return column == Bubble ? u"✕ "_s + reasonOf(option) : QString();
    switch (column) {
    case Bubble: return formatPercent(option.bubble_fraction);
    case Step: return formatSeconds(option.step_s);
    case Memory: return (option.fits ? QString() : u"⚠ "_s) + formatBytes(option.peak_bytes);
    case InFlight: return QLocale().toString(option.in_flight_micro_batches, 'g', 4);
    // Textbook plans have no stages to count these of.
    case Parameters: return option.parameters_per_rank > 0 ? parametersText(option.parameters_per_rank) : u"–"_s;
    default: return option.parameters_per_rank > 0 ? formatBytes(option.p2p_bytes_per_step) : u"–"_s;
    }
}

QVariant ScheduleModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const ScheduleOption& option = m_options[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return text(option, column);
    case Qt::ForegroundRole:
        if (!option.legal) return m_theme.mutedText();
        if (column == Memory && !option.fits) return m_theme.color(Role::Bad);
        return {};
    case Qt::FontRole:
        if (option.current) {
            QFont font;
            font.setBold(true);
            return font;
        }
        return {};
    case Qt::ToolTipRole:
        if (!option.legal) return reasonOf(option);
        if (column == Memory && !option.fits)
            return SchedulePicker::tr("More than a card may use: this schedule does not fit");
        return {};
    case Qt::TextAlignmentRole:
        return int((column == Schedule || !option.legal ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::AccessibleTextRole:
        return option.legal || column == Schedule
                   ? u"%1, %2: %3"_s.arg(nameOf(option), headerData(column, Qt::Horizontal).toString(),
                                         text(option, column))
                   : u"%1: %2"_s.arg(nameOf(option), reasonOf(option));
    default: return {};
    }
}

QVariant ScheduleModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= Columns) return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Schedule ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case Bubble: return SchedulePicker::tr("Share of the pipeline's time in which its ranks wait");
        case Memory: return SchedulePicker::tr("Peak of the fullest stage");
        case InFlight: return SchedulePicker::tr("Most micro-batches whose activations one stage holds");
        case Parameters: return SchedulePicker::tr("Most parameters that one GPU holds");
        case Traffic:
            return SchedulePicker::tr(
                "Bytes between the stages of one pipeline in a step, one GPU of each stage");
        default: return {};
        }
    }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Schedule: return SchedulePicker::tr("Schedule");
    case Bubble: return SchedulePicker::tr("Bubble");
    case Step: return SchedulePicker::tr("Step");
    case Memory: return SchedulePicker::tr("Memory");
    case InFlight: return SchedulePicker::tr("In flight");
    case Parameters: return SchedulePicker::tr("Parameters");
    default: return SchedulePicker::tr("Traffic");
    }
}

SchedulePicker::SchedulePicker(Document& document, const Theme& theme, QWidget* parent)
    : QWidget(parent), m_document(document), m_pause(new QTimer(this)), m_model(new ScheduleModel(this)),
      m_table(makeTableView(this)), m_details(new QLabel), m_below(new QCheckBox), m_use(new QPushButton) {
    m_model->setTheme(theme);
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideRight);
    m_table->verticalHeader()->hide();
    // The longest name and the longest heading whole; the rest shares what is left.
    for (const int column : {ScheduleModel::Schedule, ScheduleModel::Parameters})
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    setFocusProxy(m_table);
    m_details->setWordWrap(true);
    m_details->setTextFormat(Qt::PlainText);
    m_details->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_details->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_details->setMinimumHeight(2 * m_details->fontMetrics().lineSpacing());

    auto* below = new QHBoxLayout;
    below->setSpacing(6);
    below->addWidget(m_details, 1);
    below->addWidget(m_below, 0, Qt::AlignTop);
    below->addWidget(m_use, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_table, 1);
    layout->addLayout(below);

    m_pause->setSingleShot(true);
    m_pause->setInterval(kPauseMilliseconds);
    connect(m_pause, &QTimer::timeout, this, &SchedulePicker::compare);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) { use(index.row()); });
    connect(m_use, &QPushButton::clicked, this, [this] { use(m_table->currentIndex().row()); });
    connect(m_below, &QCheckBox::toggled, this, &SchedulePicker::showBelow);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        describe();
        showBelow();
    });
    retranslate();
}

void SchedulePicker::setReport(const ReportPtr& report) {
    m_report = report;
    if (m_report != m_shown) m_pause->start();
}

void SchedulePicker::compare() {
    m_pause->stop();
    if (!isVisible() || !m_report || m_report == m_shown) return;
    m_shown = m_report;
    m_background.run(
        [this, plan = m_document.plan(), catalog = m_document.sharedCatalog()]() -> Background::Deliver {
            return [this, options = compare_schedules(plan, *catalog)] { take(options); };
        });
    describe(); // says that it compares
}

void SchedulePicker::take(const Result<std::vector<ScheduleOption>>& options) {
    m_failed = options.ok() ? QString() : translated(options.error());
    const ScheduleOption* before = chosen();
    const auto kind = before ? std::optional(before->kind) : std::nullopt;
    m_model->setOptions(options.ok() ? *options : std::vector<ScheduleOption>());
    m_table->clearSpans();
    int row = -1;
    for (int i = 0; i < m_model->rowCount(); ++i) {
        const ScheduleOption& option = m_model->options()[static_cast<std::size_t>(i)];
        if (!option.legal) m_table->setSpan(i, ScheduleModel::Bubble, 1, ScheduleModel::Columns - 1);
        if (kind ? option.kind == *kind : option.current) row = i;
    }
    if (row >= 0) {
        m_table->setCurrentIndex(m_model->index(row, 0));
        m_table->scrollTo(m_model->index(row, 0));
    }
    describe();
    showBelow();
}

const ScheduleOption* SchedulePicker::chosen() const {
    const int row = m_table->currentIndex().row();
    return row >= 0 && row < m_model->rowCount() ? &m_model->options()[static_cast<std::size_t>(row)]
                                                 : nullptr;
}

void SchedulePicker::use(int row) {
    if (row < 0 || row >= m_model->rowCount()) return;
    const ScheduleOption& option = m_model->options()[static_cast<std::size_t>(row)];
    if (option.current || (!option.legal && !option.fix)) return;
    Plan after = m_document.plan();
    Error error = apply_fix(after, option.set);
    if (error.what.empty() && !option.legal) error = apply_fix(after, *option.fix);
    if (error.what.empty())
        error = m_document.change(std::move(after), tr("Schedule %1").arg(nameOf(option)));
    if (!error.what.empty()) emit problem(error);
}

void SchedulePicker::showBelow() {
    const ScheduleOption* option = chosen();
    if (!m_below->isChecked() || !option || !option->legal || option->current) {
        m_second.run([this]() -> Background::Deliver { return [this] { emit secondChanged(nullptr, {}); }; });
        return;
    }
    Plan plan = m_document.plan();
    if (!apply_fix(plan, option->set).what.empty()) return;
    m_second.run([this, plan = std::move(plan), name = tr("compared"),
                  catalog = m_document.sharedCatalog()]() -> Background::Deliver {
        const auto report = evaluate(plan, *catalog);
        return [this, name, second = report.ok() ? *report : nullptr] { emit secondChanged(second, name); };
    });
}

bool SchedulePicker::settled() const {
    return !m_pause->isActive() && m_background.idle() && m_second.idle();
}

void SchedulePicker::settle() {
    if (m_pause->isActive()) compare();
    m_background.flush();
    m_second.flush();
}

void SchedulePicker::describe() {
    const ScheduleOption* option = chosen();
    m_use->setText(option && !option->legal && option->fix ? tr("Use with changes")
                                                           : tr("Use this schedule"));
    m_use->setEnabled(option && !option->current && (option->legal || option->fix));
    if (!m_failed.isEmpty()) return m_details->setText(u"⚠ "_s + m_failed);
    if (!option) return m_details->setText(m_background.idle() ? QString() : tr("Comparing the schedules…"));
    QStringList lines;
    if (!option->legal) {
        lines << tr("%1 is not possible here: %2").arg(nameOf(*option), reasonOf(*option));
        if (option->fix) lines << tr("Nearest that works: %1").arg(shardlens::describe(*option->fix));
    } else if (option->current) {
        lines << tr("%1 is the plan's schedule. Choose another to compare, Enter uses it.")
                     .arg(nameOf(*option));
    } else {
        for (const ScheduleOption& other : m_model->options())
            if (other.current && other.legal) {
                const QString step = formatDelta(option->step_s - other.step_s, u"s"_s);
                const QString memory = formatDelta(option->peak_bytes - other.peak_bytes, u"B"_s);
                lines << tr("%1 against %2: step %3, memory %4")
                             .arg(nameOf(*option), nameOf(other), step.isEmpty() ? tr("as now") : step,
                                  memory.isEmpty() ? tr("as now") : memory);
            }
        for (const Message& note : option->notes) lines << translated(note);
    }
    m_details->setText(lines.join(u'\n'));
}

void SchedulePicker::retranslate() {
    m_table->setAccessibleName(tr("Schedules for this plan"));
    m_details->setAccessibleName(tr("About the schedule"));
    m_below->setText(tr("Show below"));
    m_below->setToolTip(tr("Shows the chosen schedule below the plan's, on the same time scale"));
    m_use->setToolTip(tr("Makes the schedule the plan's; Undo brings yours back"));
    m_model->retranslate();
    describe();
}

} // namespace shardlens
