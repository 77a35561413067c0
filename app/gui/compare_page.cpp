// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare_page.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QStyle>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>
#include <map>
#include <set>

#include "controls/core_text.h"
#include "controls/quantity.h"
#include "document.h"
#include "format.h"
#include "report/diff.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

QWidget* headed(QLabel* heading, QWidget* body) {
    auto* box = new QWidget;
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    QFont bold = heading->font();
    bold.setBold(true);
    heading->setFont(bold);
    layout->addWidget(heading);
    layout->addWidget(body);
    return box;
}

QString shown(const FieldValue& value) {
    return std::holds_alternative<std::monostate>(value) ? ComparePage::tr("default")
                                                         : toQString(to_text(value));
}

/// "A: <b>name</b>, B: <b>name</b>".
QString pinnedNames(const Document& document) {
    QStringList names;
    for (int letter = 0; letter < Document::kPins; ++letter)
        if (const auto& pin = document.pins()[std::size_t(letter)])
            names << u"%1: <b>%2</b>"_s.arg(pinLetter(letter), pin->name.toHtmlEscaped());
    return names.join(ComparePage::tr(", "));
}

/// A column for each pinned plan and one for the current.
QStringList planColumns(const Document& document) {
    QStringList columns;
    for (int letter = 0; letter < Document::kPins; ++letter)
        if (document.pins()[std::size_t(letter)])
            columns << ComparePage::tr("Pinned %1").arg(pinLetter(letter));
    return columns << ComparePage::tr("Current");
}

/// Columns share the width; headings that do not fit take more lines.
void wrapHeader(QTableView& table) {
    QHeaderView* header = table.horizontalHeader();
    header->setSectionResizeMode(QHeaderView::Stretch);
    auto* later = new QTimer(header); // the table is in the middle of its layout when a column moves
    later->setSingleShot(true);
    later->setInterval(0);
    QObject::connect(header, &QHeaderView::sectionResized, later, qOverload<>(&QTimer::start));
    QObject::connect(header, &QHeaderView::sectionCountChanged, later, qOverload<>(&QTimer::start));
    QObject::connect(later, &QTimer::timeout, header, [header] {
        const int margin = 2 * (header->style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, header) + 1);
        int height = header->fontMetrics().height();
        for (int column = 0; column < header->count(); ++column) {
            const QRect room(0, 0, header->sectionSize(column) - margin, 1000);
            const QString text = header->model()->headerData(column, Qt::Horizontal).toString();
            const QRect taken = header->fontMetrics().boundingRect(room, Qt::TextWordWrap, text);
            height = std::max(height, taken.height());
        }
        if (header->minimumHeight() == height + margin) return;
        header->setFixedHeight(height + margin);
        emit header->geometriesChanged();
    });
}

} // namespace

ComparePage::ComparePage(Document& document, QWidget* parent)
    : Page(parent), m_document(document), m_stack(new QStackedLayout(this)), m_emptyText(new QLabel),
      m_title(new QLabel), m_baselineLabel(new QLabel), m_fieldsHeading(new QLabel),
      m_numbersHeading(new QLabel), m_baseline(new QComboBox), m_pinButton(new QPushButton),
      m_fields(new TableModel(this)), m_numbers(new TableModel(this)), m_fieldTable(makeTableView(this)),
      m_numberTable(makeTableView(this)) {
    auto* empty = new QWidget;
    auto* emptyLayout = new QVBoxLayout(empty);
    m_emptyText->setWordWrap(true);
    m_emptyText->setAlignment(Qt::AlignCenter);
    emptyLayout->addStretch(1);
    emptyLayout->addWidget(m_emptyText);
    emptyLayout->addWidget(m_pinButton, 0, Qt::AlignCenter);
    emptyLayout->addStretch(1);
    m_stack->addWidget(empty);
    connect(m_pinButton, &QPushButton::clicked, &m_document, &Document::pin);

    auto* body = new QWidget;
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(12, 10, 12, 10);
    m_title->setWordWrap(true);
    auto* top = new QHBoxLayout;
    m_baselineLabel->setBuddy(m_baseline);
    top->addWidget(m_title, 1);
    top->addWidget(m_baselineLabel);
    top->addWidget(m_baseline);
    layout->addLayout(top);
    connect(m_baseline, &QComboBox::activated, &m_document,
            [this](int index) { m_document.setBaseline(m_baseline->itemData(index).toInt()); });
    m_fieldTable->setModel(m_fields);
    m_numberTable->setModel(m_numbers);
    for (QTableView* table : {m_fieldTable, m_numberTable})
        wrapHeader(*table);
    auto* rows = new QSplitter(Qt::Vertical);
    rows->setChildrenCollapsible(false);
    rows->addWidget(headed(m_fieldsHeading, m_fieldTable));
    rows->addWidget(headed(m_numbersHeading, m_numberTable));
    rows->setStretchFactor(0, 1);
    rows->setStretchFactor(1, 3);
    layout->addWidget(rows, 1);
    m_stack->addWidget(body);
    setAutoFillBackground(true);
    retranslate();
}

void ComparePage::showReports(const ReportPtr& report, const ReportPtr& pinned) {
    m_report = report;
    m_pinned = pinned;
    if (!report || !pinned || !m_document.pinned()) return m_stack->setCurrentIndex(0);
    m_stack->setCurrentIndex(1);
    m_title->setText(tr("Pinned: %1. Current: <b>%2</b>.")
                         .arg(pinnedNames(m_document), m_document.title().toHtmlEscaped()));
    showBaselines();
    showFields();
    showNumbers();
}

void ComparePage::showBaselines() {
    m_baseline->clear();
    for (int letter = 0; letter < Document::kPins; ++letter)
        if (m_document.pins()[std::size_t(letter)]) m_baseline->addItem(pinLetter(letter), letter);
    m_baseline->setCurrentIndex(m_baseline->findData(m_document.baseline()));
    const bool several = m_baseline->count() > 1;
    m_baseline->setVisible(several);
    m_baselineLabel->setVisible(several);
}

void ComparePage::showFields() {
    std::set<std::string> paths;
    for (const auto& pin : m_document.pins())
        if (pin)
            for (const PlanDifference& difference : diff(pin->plan, m_document.plan()))
                paths.insert(difference.path);
    TableContent content;
    content.columns = planColumns(m_document);
    for (const Field& field : shardlens::fields()) {
        if (!paths.contains(field.path)) continue;
        content.rows << labelOfPath(field.path);
        std::vector<TableContent::Cell> row;
        for (const auto& pin : m_document.pins())
            if (pin) row.push_back({shown(get_field(pin->plan, field.path)), {}, false});
        row.push_back({shown(get_field(m_document.plan(), field.path)), {}, false});
        content.cells.push_back(std::move(row));
    }
    m_fieldsHeading->setText(content.rows.isEmpty()
                                 ? tr("The plans are equal")
                                 : tr("%n field(s) differ", nullptr, int(content.rows.size())));
    m_fields->setContent(std::move(content));
}

void ComparePage::showNumbers() {
    // Of each pinned plan what it and the current one have.
    std::vector<std::map<std::string, double>> pinned;
    std::set<std::string> differ;
    for (const auto& pin : m_document.pins()) {
        if (!pin) continue;
        auto& numbers = pinned.emplace_back();
        for (const NumberDifference& difference : diff(*pin->report, *m_report)) {
            numbers.emplace(difference.path, difference.a);
            if (difference.a != difference.b) differ.insert(difference.path);
        }
    }
    TableContent content;
    const QString letter = pinLetter(m_document.baseline());
    content.columns = planColumns(m_document);
    content.columns << tr("Change from %1").arg(letter) << tr("Change from %1, %").arg(letter);
    for (const NumberDifference& difference : diff(*m_pinned, *m_report)) {
        if (!differ.contains(difference.path)) continue;
        const QString path = toQString(difference.path), unit = toQString(difference.unit);
        content.rows << numberName(path);
        std::vector<TableContent::Cell> row;
        for (const auto& numbers : pinned) {
            const auto found = numbers.find(difference.path);
            row.push_back({found == numbers.end() ? u"–"_s : formatValue(found->second, unit), {}, false});
        }
        row.push_back({formatValue(difference.b, unit), path, true});
        row.push_back({formatDelta(difference.absolute(), unit), {}, false});
        row.push_back(
            {difference.a != 0 ? formatDelta(difference.relative(), u"%"_s) : QString(), {}, false});
        content.cells.push_back(std::move(row));
    }
    m_numbersHeading->setText(tr("%n number(s) differ", nullptr, int(content.rows.size())));
    m_numbers->setContent(std::move(content));
}

void ComparePage::setTheme(const Theme&) {}

void ComparePage::retranslate() {
    m_emptyText->setText(tr("Pin the plan as it is now, then change something: the differences appear here "
                            "and as ghosts in every view."));
    m_pinButton->setText(tr("Pin this plan"));
    m_baselineLabel->setText(tr("Compare with"));
    m_baseline->setToolTip(tr("The pinned plan that every view shows as a ghost"));
    m_fieldTable->setAccessibleName(tr("Fields that differ"));
    m_numberTable->setAccessibleName(tr("Numbers that differ"));
    showReports(m_report, m_pinned);
}

} // namespace shardlens
