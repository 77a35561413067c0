// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare_page.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

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

} // namespace

ComparePage::ComparePage(Document& document, QWidget* parent)
    : Page(parent), m_document(document), m_stack(new QStackedLayout(this)), m_emptyText(new QLabel),
      m_title(new QLabel), m_fieldsHeading(new QLabel), m_numbersHeading(new QLabel),
      m_pinButton(new QPushButton), m_fields(new TableModel(this)), m_numbers(new TableModel(this)),
      m_fieldTable(makeTableView(this)), m_numberTable(makeTableView(this)) {
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
    layout->addWidget(m_title);
    m_fieldTable->setModel(m_fields);
    m_numberTable->setModel(m_numbers);
    for (QTableView* table : {m_fieldTable, m_numberTable})
        table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
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
    const auto& baseline = m_document.pinned();
    if (!report || !pinned || !baseline) return m_stack->setCurrentIndex(0);
    m_stack->setCurrentIndex(1);
    m_title->setText(tr("Pinned: <b>%1</b>. Current: <b>%2</b>.")
                         .arg(baseline->name.toHtmlEscaped(), m_document.title().toHtmlEscaped()));

    TableContent fields;
    fields.columns << tr("Pinned") << tr("Current");
    for (const PlanDifference& difference : diff(baseline->plan, m_document.plan())) {
        fields.rows << labelOfPath(difference.path);
        fields.cells.push_back({{shown(difference.a), {}, false}, {shown(difference.b), {}, false}});
    }
    m_fieldsHeading->setText(fields.rows.isEmpty()
                                 ? tr("The plans are equal")
                                 : tr("%n field(s) differ", nullptr, int(fields.rows.size())));
    m_fields->setContent(std::move(fields));

    TableContent numbers;
    numbers.columns << tr("Pinned") << tr("Current") << tr("Change") << tr("Change, %");
    for (const NumberDifference& difference : diff(*pinned, *report)) {
        if (difference.a == difference.b) continue;
        const QString path = toQString(difference.path), unit = toQString(difference.unit);
        numbers.rows << numberName(path);
        numbers.cells.push_back(
            {{formatValue(difference.a, unit), {}, false},
             {formatValue(difference.b, unit), path, true},
             {formatDelta(difference.absolute(), unit), {}, false},
             {difference.a != 0 ? formatDelta(difference.relative(), u"%"_s) : QString(), {}, false}});
    }
    m_numbersHeading->setText(tr("%n number(s) differ", nullptr, int(numbers.rows.size())));
    m_numbers->setContent(std::move(numbers));
}

void ComparePage::setTheme(const Theme&) {}

void ComparePage::retranslate() {
    m_emptyText->setText(tr("Pin the plan as it is now, then change something: the differences appear here "
                            "and as ghosts in every view."));
    m_pinButton->setText(tr("Pin this plan"));
    m_fieldTable->setAccessibleName(tr("Fields that differ"));
    m_numberTable->setAccessibleName(tr("Numbers that differ"));
    showReports(m_report, m_pinned);
}

} // namespace shardlens
