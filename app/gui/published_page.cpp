// SPDX-License-Identifier: GPL-3.0-or-later
#include "published_page.h"

#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>

#include "controls/core_text.h"
#include "controls/quantity.h"
#include "document.h"
#include "format.h"
#include "report_table.h"

namespace shardlens {

using namespace Qt::StringLiterals;
using calibrate::Comparison;
using calibrate::NearbyRun;

namespace {

constexpr std::size_t kShownRuns = 24;
constexpr int kPauseMilliseconds = 250;
constexpr int kShownDifferences = 4;
// Pixels: below these a text says nothing.
constexpr int kNarrowRun = 130, kNarrowStack = 72, kNarrowSource = 90, kCellMargin = 8;
/// Errors below the first are good, above the second bad: the planner's targets for dense step times.
constexpr double kGoodError = 0.04, kBadError = 0.12;

QString modelName(const Plan& plan) {
    const auto* id = std::get_if<std::string>(&plan.model);
    return toQString(id ? *id : std::get<ModelShape>(plan.model).name);
}

/// "H100" of "H100 80 GB SXM": the rest stands in the tooltip.
QString shortName(const Accelerator& accelerator) {
    static const QRegularExpression kMemory(u" \\d+ GB.*$"_s);
    return toQString(accelerator.name).remove(kMemory);
}

/// "t8 p4 d2 s8192 b1": degrees above 1; tensor, data, sequence length and micro-batch always. One script
/// only: lines of a cell must be equally high.
QString layoutText(const Setup& setup) {
    QStringList parts{u"t%1"_s.arg(setup.tensor)};
    const auto add = [&parts](QChar letter, std::int64_t degree) {
        if (degree > 1) parts << letter + QString::number(degree);
    };
    add(u'p', setup.pipeline);
    add(u'v', setup.virtual_pipeline);
    add(u'c', setup.context);
    add(u'e', setup.expert);
    parts << u"d%1"_s.arg(setup.data) << u"s%1"_s.arg(setup.plan.training.sequence_length)
          << u"b%1"_s.arg(setup.plan.training.micro_batch_size);
    return parts.join(u' ');
}

QString layoutLegend() {
    return PublishedPage::tr(
        "t tensor, p pipeline, v virtual stages, c context, e expert, d data, s sequence length, "
        "b micro-batch");
}

QString runText(const NearbyRun& near) {
    const Setup& setup = *near.setup;
    return u"%1, %2 × %3\n%4"_s.arg(modelName(near.run->plan), QLocale().toString(qlonglong(setup.world())),
                                    shortName(setup.cluster.accelerator), layoutText(setup));
}

QString memoryKind(calibrate::PeakKind kind) {
    switch (kind) {
    case calibrate::PeakKind::allocated: return PublishedPage::tr("allocated");
    case calibrate::PeakKind::reserved: return PublishedPage::tr("reserved");
    case calibrate::PeakKind::device: break;
    }
    return PublishedPage::tr("all of the device");
}

QString signedPercent(double error) {
    const QString text = formatDelta(error, u"%"_s);
    return text.isEmpty() ? formatPercent(0) : text;
}

QString differencesText(const NearbyRun& near) {
    if (near.differences.empty()) return PublishedPage::tr("as this plan in all that is compared");
    QStringList names;
    for (const calibrate::Trait trait : near.differences) {
        if (names.size() == kShownDifferences) break;
        names << translated(calibrate::to_string(trait));
    }
    return PublishedPage::tr("differs in %1").arg(names.join(PublishedPage::tr(", ")));
}

/// Source as a link where it has an address.
QString sourceHtml(const calibrate::PublishedRun& run) {
    const QString address = toQString(calibrate::source_address(run.source));
    const QString text = toQString(run.source).toHtmlEscaped();
    return address.isEmpty() ? text : u"<a href=\"%1\">%2</a>"_s.arg(address.toHtmlEscaped(), text);
}

QString tipText(const NearbyRun& near) {
    const Setup& setup = *near.setup;
    QString tip = u"<p>"_s + runText(near).toHtmlEscaped().replace(u'\n', u"<br>"_s) + u"<br>"_s +
                  u"%1, %2, %3"_s
                      .arg(toQString(setup.stack.name), toQString(setup.cluster.accelerator.name),
                           toQString(setup.cluster.node.name))
                      .toHtmlEscaped() +
                  u"</p><p>"_s + toQString(near.run->source).toHtmlEscaped() + u"</p>"_s;
    if (!near.run->notes.empty()) tip += u"<p>"_s + toQString(near.run->notes).toHtmlEscaped() + u"</p>"_s;
    return tip + u"<p>"_s + differencesText(near).toHtmlEscaped() + u"</p><p>"_s +
           layoutLegend().toHtmlEscaped() + u"</p>"_s;
}

const std::optional<Comparison>& figureOf(const NearbyRun& near, int column) {
    return column >= PublishedModel::MemoryMeasured ? near.memory : near.step_s;
}

} // namespace

void PublishedModel::setRuns(std::vector<NearbyRun> runs) {
    beginResetModel();
    m_runs = std::move(runs);
    endResetModel();
}

void PublishedModel::setTheme(const Theme& theme) {
    m_theme = theme;
    if (!m_runs.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, Columns - 1));
}

void PublishedModel::retranslate() {
    if (!m_runs.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, Columns - 1));
    emit headerDataChanged(Qt::Horizontal, 0, Columns - 1);
}

int PublishedModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}
int PublishedModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(Columns);
}

QString PublishedModel::text(const NearbyRun& near, int column) const {
    if (column == Run) return runText(near);
    if (column == Stack) return toQString(near.run->plan.stack);
    if (column == Source) return toQString(near.run->source);
    const auto& figure = figureOf(near, column);
    if (!figure) return u"–"_s;
    switch (column) {
    case StepMeasured: return formatSeconds(figure->measured);
    case StepPredicted: return formatSeconds(figure->predicted);
    case MemoryMeasured: return formatBytes(figure->measured);
    case MemoryPredicted: return formatBytes(figure->predicted);
    default: return signedPercent(figure->error());
    }
}

QVariant PublishedModel::ink(const NearbyRun& near, int column) const {
    if (column != StepError && column != MemoryError) return {};
    const auto& figure = figureOf(near, column);
    if (!figure) return {};
    const double size = std::abs(figure->error());
    return m_theme.color(size <= kGoodError ? Role::Good : size <= kBadError ? Role::Caution : Role::Bad);
}

QVariant PublishedModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const NearbyRun& near = m_runs[std::size_t(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return text(near, column);
    case Qt::ForegroundRole: return ink(near, column);
    case Qt::ToolTipRole:
        if ((column == MemoryMeasured || column == MemoryPredicted) && near.memory)
            return PublishedPage::tr("Peak memory, %1").arg(memoryKind(near.memory_kind));
        return tipText(near);
    case Qt::TextAlignmentRole:
        return int((column == Run || column == Stack || column == Source ? Qt::AlignLeft : Qt::AlignRight) |
                   Qt::AlignVCenter);
    case Qt::AccessibleTextRole:
        return u"%1: %2"_s.arg(headerData(column, Qt::Horizontal).toString().replace(u'\n', u' '),
                               text(near, column));
    default: return {};
    }
}

QVariant PublishedModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= Columns) return {};
    if (role == Qt::TextAlignmentRole)
        return int(
            (section == Run || section == Stack || section == Source ? Qt::AlignLeft : Qt::AlignRight) |
            Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == Run) return layoutLegend();
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Run: return PublishedPage::tr("Published run");
    case Stack: return PublishedPage::tr("Stack");
    case StepMeasured: return PublishedPage::tr("Step\nmeasured");
    case StepPredicted: return PublishedPage::tr("Step\npredicted");
    case StepError: return PublishedPage::tr("Step\nerror");
    case MemoryMeasured: return PublishedPage::tr("Memory\nmeasured");
    case MemoryPredicted: return PublishedPage::tr("Memory\npredicted");
    case MemoryError: return PublishedPage::tr("Memory\nerror");
    default: return PublishedPage::tr("Source");
    }
}

PublishedPage::PublishedPage(Document& document, const Theme& theme, QWidget* parent)
    : Page(parent), m_document(document), m_pause(new QTimer(this)), m_model(new PublishedModel(this)),
      m_table(makeTableView(this)), m_state(new QLabel), m_details(new QLabel), m_open(new QPushButton) {
    m_model->setTheme(theme);
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideRight);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(2 * m_table->fontMetrics().height() + 8);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    m_state->setWordWrap(true);
    m_details->setWordWrap(true);
    m_details->setTextFormat(Qt::RichText);
    m_details->setOpenExternalLinks(true);
    m_details->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_details->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_details->setMinimumHeight(4 * m_details->fontMetrics().lineSpacing());
    m_open->setEnabled(false);

    auto* below = new QHBoxLayout;
    below->addWidget(m_details, 1);
    below->addWidget(m_open, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(m_state);
    layout->addWidget(m_table, 1);
    layout->addLayout(below);

    m_pause->setSingleShot(true);
    m_pause->setInterval(kPauseMilliseconds);
    connect(m_pause, &QTimer::timeout, this, &PublishedPage::lookUp);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) { open(index.row()); });
    connect(m_open, &QPushButton::clicked, this, [this] { open(m_table->currentIndex().row()); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &PublishedPage::describe);
    connect(m_model, &QAbstractItemModel::modelReset, this, &PublishedPage::describe);
    retranslate();
}

void PublishedPage::showReports(const ReportPtr& report, const ReportPtr&) {
    m_report = report;
    // The rows follow when the hand rests: a drag starts nothing.
    if (m_report != m_shown) m_pause->start();
}

void PublishedPage::lookUp() {
    m_pause->stop();
    if (!isVisible() || !m_report || !m_report->setup || m_report == m_shown) return;
    m_shown = m_report;
    ++m_lookups;
    m_background.run([this, index = m_index, setup = m_report->setup,
                      catalog = m_document.sharedCatalog()]() -> Background::Deliver {
        auto found = index;
        if (!found) {
            auto loaded = calibrate::PublishedIndex::load(*catalog);
            if (!loaded) return [this, error = loaded.error()] { take(error); };
            found = std::make_shared<const calibrate::PublishedIndex>(std::move(loaded).value());
        }
        return [this, found, runs = found->nearest(*setup, kShownRuns, *catalog)] {
            m_index = found;
            take(runs);
        };
    });
    retranslate(); // says that it reads
}

void PublishedPage::take(const Result<std::vector<NearbyRun>>& found) {
    m_problem = found.ok() ? QString() : toQString(found.error().line());
    m_model->setRuns(found.ok() ? *found : std::vector<NearbyRun>());
    if (m_model->rowCount() > 0) m_table->selectRow(0);
    fitColumns();
    retranslate();
}

bool PublishedPage::settled() const { return !m_pause->isActive() && m_background.idle(); }

void PublishedPage::settle() {
    if (m_pause->isActive()) lookUp();
    m_background.flush();
}

void PublishedPage::describe() {
    const int row = m_table->currentIndex().row();
    const bool any = row >= 0 && row < m_model->rowCount();
    m_open->setEnabled(any);
    if (!any) return m_details->clear();
    const NearbyRun& near = m_model->runs()[std::size_t(row)];
    QStringList lines{sourceHtml(*near.run)};
    if (!near.run->notes.empty()) lines << toQString(near.run->notes).toHtmlEscaped();
    QString facts = differencesText(near);
    if (near.memory) facts += u"; "_s + tr("peak memory, %1").arg(memoryKind(near.memory_kind));
    if (near.run->suspect) facts += u"; "_s + tr("the source contradicts itself");
    if (!near.run->direct) facts += u"; "_s + tr("part of the layout was inferred");
    lines << facts.toHtmlEscaped();
    m_details->setText(lines.join(u"<br>"_s));
}

void PublishedPage::open(int row) {
    if (row < 0 || row >= m_model->rowCount()) return;
    // Copies: the rows are filled anew by what follows.
    const Plan plan = m_model->runs()[std::size_t(row)].run->plan;
    const QString name = toQString(m_model->runs()[std::size_t(row)].run->id);
    emit planWanted(plan, name);
}

void PublishedPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    fitColumns();
}

int PublishedPage::widest(int column) const {
    const QFontMetrics metrics(m_table->font());
    int wide = 0;
    const auto measure = [&](const QString& text) {
        for (const QString& line : text.split(u'\n')) wide = std::max(wide, metrics.horizontalAdvance(line));
    };
    measure(m_model->headerData(column, Qt::Horizontal).toString());
    for (int row = 0; row < m_model->rowCount(); ++row)
        measure(m_model->index(row, column).data().toString());
    return wide + kCellMargin;
}

void PublishedPage::fitColumns() {
    QHeaderView* header = m_table->horizontalHeader();
    int room =
        m_table->width() - m_table->verticalScrollBar()->sizeHint().width() - 2 * m_table->frameWidth();
    for (int column = PublishedModel::StepMeasured; column < PublishedModel::Source; ++column) {
        const int wide = widest(column);
        header->resizeSection(column, wide);
        room -= wide;
    }
    // Figures are never cut; the run gets what it needs before its stack does, and the source, which stands
    // below the table as well, what is left.
    const int run =
        std::clamp(room - kNarrowStack, kNarrowRun, std::max(kNarrowRun, widest(PublishedModel::Run)));
    const int stack =
        std::clamp(room - run, kNarrowStack, std::max(kNarrowStack, widest(PublishedModel::Stack)));
    header->resizeSection(PublishedModel::Run, run);
    header->resizeSection(PublishedModel::Stack, stack);
    const int source = room - run - stack;
    m_table->setColumnHidden(PublishedModel::Source, source < kNarrowSource);
    if (source >= kNarrowSource) header->resizeSection(PublishedModel::Source, source);
}

void PublishedPage::setTheme(const Theme& theme) { m_model->setTheme(theme); }

void PublishedPage::retranslate() {
    m_table->setAccessibleName(tr("Published runs near this plan"));
    m_open->setText(tr("Use this plan"));
    m_open->setToolTip(tr("Makes the run's plan the current one; Undo brings yours back"));
    if (!m_problem.isEmpty())
        m_state->setText(u"⚠ "_s + m_problem);
    else if (m_model->rowCount() == 0)
        m_state->setText(m_background.idle() ? tr("No published runs were found.")
                                             : tr("Reading the published runs…"));
    else
        m_state->setText(
            tr("The %n published run(s) nearest to this plan, nearest first; predicted with each run's own "
               "plan. Double-click a run to use its plan.",
               nullptr, m_model->rowCount()));
    m_model->retranslate();
    describe();
    fitColumns();
}

} // namespace shardlens
