// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology_page.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QTabWidget>
#include <QTableWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "charts/stroke.h"
#include "controls/core_text.h"
#include "document.h"
#include "format.h"
#include "report/crossings.h"
#include "topology/collective_player.h"
#include "topology/topology_view.h"

namespace shardlens {

using namespace Qt::StringLiterals;
using placement::GroupKind;
using placement::LinkClass;

namespace {

constexpr int kPauseMilliseconds = 400;
constexpr double kButtonZoom = 1.6;
constexpr int kPanelWidth = 460;
constexpr int kCrossingColumn = 3;
constexpr int kBesideWidth = 1000; // from here on the panel stands beside the map instead of below

QTableWidget* makeTable(int columns) {
    auto* table = new QTableWidget(0, columns);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(22);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setAlternatingRowColors(true);
    table->setShowGrid(false);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setStretchLastSection(true);
    return table;
}

void fillRow(QTableWidget& table, int row, const QStringList& texts, const QString& tip) {
    for (int column = 0; column < texts.size(); ++column) {
        auto* item = new QTableWidgetItem(texts[column]);
        item->setToolTip(tip);
        item->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        table.setItem(row, column, item);
    }
}

QIcon swatch(const Theme& theme, Role role) {
    QPixmap pixmap(14, 14);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setBrush(theme.brush(role));
    painter.setPen(theme.outline(role));
    painter.drawRect(0, 0, 13, 13);
    return pixmap;
}

QString linkName(LinkClass link) {
    switch (link) {
    case LinkClass::scale_up: return TopologyPage::tr("fast fabric");
    case LinkClass::package: return TopologyPage::tr("inside a package");
    case LinkClass::torus_axis: return TopologyPage::tr("link of the torus");
    case LinkClass::nic: return TopologyPage::tr("network port");
    case LinkClass::uplink: break;
    }
    return TopologyPage::tr("pod uplink");
}

QString seconds(double value) { return value > 0 ? formatSeconds(value) : u"–"_s; }
QString bytes(double value) { return value > 0 ? formatBytes(value) : u"–"_s; }

} // namespace

TopologyPage::TopologyPage(Document& document, const Theme& theme, Interaction& interaction, QWidget* parent)
    : Page(parent), m_document(document), m_interaction(interaction), m_theme(theme),
      m_map(new TopologyView(theme, interaction)), m_player(new CollectivePlayer),
      m_splitter(new QSplitter(Qt::Vertical)), m_tabs(new QTabWidget), m_search(new QLineEdit),
      m_orderButton(new QPushButton), m_groups(makeTable(6)), m_links(makeTable(5)), m_members(new QLabel),
      m_failure(new QLabel), m_nodeLabel(new QLabel), m_portLabel(new QLabel), m_failing(new QComboBox),
      m_failNode(new QSpinBox), m_failPort(new QSpinBox), m_pause(new QTimer(this)) {
    auto* tools = new QHBoxLayout;
    tools->setSpacing(4);
    for (QToolButton** tool : {&m_nearer, &m_farther, &m_fit}) {
        *tool = new QToolButton;
        (*tool)->setFocusPolicy(Qt::StrongFocus);
        tools->addWidget(*tool);
    }
    tools->addSpacing(4);
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(220);
    tools->addWidget(m_search, 1);
    tools->addStretch(1);
    tools->addWidget(m_orderButton);

    const auto asText = [](QLabel* label) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        label->setMargin(4);
    };
    asText(m_members);
    asText(m_failure);
    auto* groups = new QWidget;
    auto* groupsLayout = new QVBoxLayout(groups);
    groupsLayout->setContentsMargins(0, 0, 0, 0);
    groupsLayout->setSpacing(0);
    groupsLayout->addWidget(m_groups, 1);
    groupsLayout->addWidget(m_members);
    auto* failing = new QWidget;
    auto* failingLayout = new QGridLayout(failing);
    failingLayout->setContentsMargins(8, 8, 8, 8);
    for (int i = 0; i < 3; ++i) m_failing->addItem(QString());
    failingLayout->addWidget(m_failing, 0, 0);
    failingLayout->addWidget(m_nodeLabel, 0, 1);
    failingLayout->addWidget(m_failNode, 0, 2);
    failingLayout->addWidget(m_portLabel, 0, 3);
    failingLayout->addWidget(m_failPort, 0, 4);
    failingLayout->setColumnStretch(5, 1);
    failingLayout->addWidget(m_failure, 1, 0, 1, 6);
    failingLayout->setRowStretch(1, 1);
    m_nodeLabel->setBuddy(m_failNode);
    m_portLabel->setBuddy(m_failPort);
    m_tabs->setDocumentMode(true);
    for (QWidget* tab : {groups, static_cast<QWidget*>(m_player), static_cast<QWidget*>(m_links), failing})
        m_tabs->addTab(tab, QString());

    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(6);
    m_splitter->addWidget(m_map);
    m_splitter->addWidget(m_tabs);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);
    m_splitter->setSizes({430, 220});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->setSpacing(6);
    layout->addLayout(tools);
    layout->addWidget(m_splitter, 1);

    connect(m_nearer, &QToolButton::clicked, m_map, [this] { m_map->zoomBy(kButtonZoom); });
    connect(m_farther, &QToolButton::clicked, m_map, [this] { m_map->zoomBy(1 / kButtonZoom); });
    connect(m_fit, &QToolButton::clicked, m_map, &TopologyView::fit);
    connect(m_search, &QLineEdit::returnPressed, this, [this] { showSearch(find(m_search->text())); });
    connect(m_search, &QLineEdit::textEdited, this, [this] { showSearch(true); });
    auto* slash = new QShortcut(QKeySequence(u"/"_s), this);
    slash->setContext(Qt::WidgetWithChildrenShortcut);
    connect(slash, &QShortcut::activated, m_search, [this] {
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll();
    });
    connect(m_player, &CollectivePlayer::motionChanged, m_map, &TopologyView::setMotion);
    connect(m_groups, &QTableWidget::currentCellChanged, this, [this](int row) {
        if (row >= 0 && row < static_cast<int>(m_rowKinds.size()))
            m_player->setKind(m_rowKinds[static_cast<std::size_t>(row)]);
    });
    connect(m_failing, &QComboBox::activated, this, &TopologyPage::findFailure);
    connect(m_failNode, &QSpinBox::valueChanged, this, &TopologyPage::findFailure);
    connect(m_failPort, &QSpinBox::valueChanged, this, &TopologyPage::findFailure);
    connect(m_orderButton, &QPushButton::clicked, this, &TopologyPage::useOrder);
    connect(&interaction, &Interaction::hoveredChanged, this, &TopologyPage::showMembers);
    connect(&interaction, &Interaction::selectedChanged, this, [this] {
        m_player->setRank(m_interaction.selected().rank);
        showMembers();
    });
    m_groups->viewport()->installEventFilter(this);
    m_pause->setSingleShot(true);
    m_pause->setInterval(kPauseMilliseconds);
    connect(m_pause, &QTimer::timeout, this, &TopologyPage::findOrder);
    retranslate();
}

std::vector<ReportView*> TopologyPage::views() const { return {m_map}; }

bool TopologyPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_groups->viewport() &&
        (event->type() == QEvent::Resize || event->type() == QEvent::FontChange))
        fitColumns();
    return Page::eventFilter(watched, event);
}

void TopologyPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    arrange();
}

void TopologyPage::changeEvent(QEvent* event) {
    Page::changeEvent(event);
    if (event->type() != QEvent::FontChange) return;
    arrange();
    fitColumns();
}

// Large type needs as much more room for the same words.
void TopologyPage::arrange() {
    const double type = strokeWidth(font());
    const int panel = int(kPanelWidth * type);
    const Qt::Orientation wanted = width() >= kBesideWidth * type ? Qt::Horizontal : Qt::Vertical;
    if (wanted == m_splitter->orientation()) return;
    m_splitter->setOrientation(wanted);
    m_splitter->setSizes(wanted == Qt::Horizontal ? QList<int>{width() - panel, panel}
                                                  : QList<int>{430, 220});
}

// Where the list is narrow the number of crossing groups goes: it stands in the tooltip as well, the time
// does not.
void TopologyPage::fitColumns() {
    int wanted = 0, crossing = 0;
    for (int column = 0; column < m_groups->columnCount(); ++column) {
        int width = m_groups->horizontalHeader()->sectionSizeHint(column);
        for (int row = 0; row < m_groups->rowCount(); ++row)
            width =
                std::max(width, m_groups->sizeHintForIndex(m_groups->model()->index(row, column)).width());
        if (column == kCrossingColumn) // a hidden section has no size
            crossing = width = m_crossingWidth = m_groups->isColumnHidden(column) ? m_crossingWidth : width;
        wanted += width;
    }
    const int room = m_groups->viewport()->width();
    m_groups->setColumnHidden(kCrossingColumn, wanted > room);
    // A last section that is stretched is cut where there is no room; sized to its contents it can be
    // scrolled to.
    m_groups->horizontalHeader()->setStretchLastSection((wanted > room ? wanted - crossing : wanted) <= room);
}

void TopologyPage::showReports(const ReportPtr& report, const ReportPtr& pinned) {
    if (m_map->pinned() != pinned) m_map->setPinned(pinned);
    if (m_map->report() != report) m_map->setReport(report);
    if (report == m_report) return;
    m_report = report;
    m_player->setReport(report);
    const bool placed = report && report->placement;
    const auto most = [](std::int64_t count) {
        return static_cast<int>(std::clamp<std::int64_t>(count - 1, 0, std::numeric_limits<int>::max()));
    };
    {
        const QSignalBlocker node(m_failNode), port(m_failPort);
        m_failNode->setMaximum(placed ? most(report->setup->cluster.nodes()) : 0);
        m_failPort->setMaximum(placed ? most(placement::nics_per_node(report->setup->cluster.node)) : 0);
    }
    fillGroups();
    fillLinks();
    showMembers();
    findFailure();
    m_order.reset();
    m_pause->start();
    showOrder();
}

void TopologyPage::setTheme(const Theme& theme) {
    m_theme = theme;
    m_map->setTheme(theme);
    fillGroups();
}

// Groups that cross a tier first, the dearest on top, then those that stay inside.
void TopologyPage::fillGroups() {
    const QSignalBlocker quiet(m_groups);
    m_groups->setColumnHidden(kCrossingColumn, false);
    m_groups->setRowCount(0);
    m_rowKinds.clear();
    if (!m_report || !m_report->placement) return;
    const auto add = [this](GroupKind kind, const QStringList& texts, const QString& tip) {
        const int row = m_groups->rowCount();
        m_groups->setRowCount(row + 1);
        fillRow(*m_groups, row, texts, tip);
        m_groups->item(row, 0)->setIcon(swatch(m_theme, roleOf(kind)));
        m_rowKinds.push_back(kind);
    };
    const auto tierName = [this](Tier tier) {
        switch (tier) {
        case Tier::node: return tr("nodes");
        case Tier::domain: return tr("racks");
        case Tier::pod: break;
        }
        return m_map->podsAreRacks() ? tr("racks") : tr("pods");
    };
    std::vector<GroupKind> crossing;
    for (const TierCrossing& each : tier_crossings(*m_report)) {
        crossing.push_back(each.kind);
        const auto* collective = m_report->traffic.of(each.kind);
        const QString members = collective ? QString::number(collective->reach.members) : QString();
        add(each.kind,
            {groupName(each.kind), members,
             (each.on_network ? u"⚠ "_s : QString()) + tr("%1 %2").arg(each.places).arg(tierName(each.tier)),
             tr("%1 of %2").arg(each.crossing).arg(each.groups), bytes(each.busiest_link_bytes),
             seconds(each.transfer_s)},
            tr("%1 of %2 %3 groups touch more than one place of this tier, up to %4.\nIts slowest link "
               "(%5) "
               "carries %6 a step, which takes %7; %8 of the step wait for it.")
                .arg(each.crossing)
                .arg(each.groups)
                .arg(groupName(each.kind))
                .arg(each.places)
                .arg(linkName(each.link), bytes(each.busiest_link_bytes), seconds(each.transfer_s),
                     seconds(each.exposed_s)));
    }
    for (const auto& each : m_report->traffic.collectives) {
        if (std::find(crossing.begin(), crossing.end(), each.kind) != crossing.end()) continue;
        add(each.kind,
            {groupName(each.kind), QString::number(each.reach.members), tr("inside"),
             tr("0 of %1").arg(each.groups), bytes(each.sent_bytes), seconds(each.busy_s)},
            tr("All %1 groups stay inside; a GPU sends %2 a step.")
                .arg(groupName(each.kind), bytes(each.sent_bytes)));
    }
    fitColumns();
}

void TopologyPage::fillLinks() {
    m_links->setRowCount(0);
    if (!m_report || !m_report->placement) return;
    for (const LinkClass link : placement::kLinkClasses) {
        const placement::LinkLoad& load = m_report->traffic.of(link);
        if (!(load.capacity_bytes_per_s > 0)) continue;
        const int row = m_links->rowCount();
        m_links->setRowCount(row + 1);
        const double share = m_report->time.step_s > 0 ? load.busy_s() / m_report->time.step_s : 0;
        QString tip =
            tr("One link carries %1 in one direction.").arg(formatRate(load.capacity_bytes_per_s, u"B/s"_s));
        const bool over = load.peak_bytes_per_s > load.capacity_bytes_per_s * 1.001;
        if (over)
            tip += u'\n' + tr("Collectives at the same time ask for %1: they slow each other down.")
                               .arg(formatRate(load.peak_bytes_per_s, u"B/s"_s));
        fillRow(*m_links, row,
                {linkName(link), formatRate(load.capacity_bytes_per_s, u"B/s"_s), bytes(load.bytes_per_step),
                 bytes(load.busiest_link_bytes), (over ? u"⚠ "_s : QString()) + formatPercent(share)},
                tip);
    }
}

// The groups of the GPU that is pointed at, else of the pinned one.
void TopologyPage::showMembers() {
    const auto* placed = m_report ? m_report->placement.get() : nullptr;
    const qint64 hovered = m_interaction.hovered().rank, pinned = m_interaction.selected().rank;
    const qint64 rank = hovered >= 0 ? hovered : pinned;
    if (!placed || rank < 0 || rank >= placed->world()) {
        m_members->setText(tr("Point at a GPU to see its groups; a click keeps them."));
        return;
    }
    QString text = rank == pinned ? tr("GPU %1 (pinned)").arg(rank) : tr("GPU %1").arg(rank);
    for (const GroupKind kind : listedKinds(*placed)) text += u'\n' + m_map->groupText(kind, rank);
    m_members->setText(text);
}

bool TopologyPage::find(const QString& text) {
    static const QRegularExpression kWanted(u"^\\s*(\\D*?)\\s*(\\d{1,12})\\s*$"_s);
    const auto match = kWanted.match(text);
    const auto* placed = m_report ? m_report->placement.get() : nullptr;
    if (!match.hasMatch() || !placed) return false;
    const QString word = match.captured(1).toLower();
    qint64 rank = match.captured(2).toLongLong();
    if (word.startsWith(u'n') || word == tr("node"))
        rank = placed->first_rank_on(rank);
    else if (!word.isEmpty() && word != "gpu"_L1 && word != "rank"_L1)
        return false;
    if (rank >= placed->world()) return false;
    m_map->reveal(rank);
    return true;
}

void TopologyPage::showSearch(bool found) {
    QPalette marked = palette();
    if (!found) marked.setColor(QPalette::Text, m_theme.color(Role::Bad));
    m_search->setPalette(marked);
    const qint64 world = m_report && m_report->placement ? m_report->placement->world() : 0;
    m_search->setToolTip(
        found ? tr("Number of a GPU, or \"node\" and a number (/)")
              : tr("No such GPU or node; GPUs go from 0 to %1").arg(std::max<qint64>(0, world - 1)));
    m_search->setAccessibleDescription(m_search->toolTip());
}

void TopologyPage::findOrder() {
    m_pause->stop();
    if (!isVisible() || !m_report || m_report == m_orderOf) return;
    m_orderOf = m_report;
    m_orderWork.run(
        [this, plan = m_document.plan(), catalog = m_document.sharedCatalog()]() -> Background::Deliver {
            return [this, found = best_order(plan, *catalog)] {
                m_order = found;
                showOrder();
            };
        });
}

void TopologyPage::showOrder() {
    const bool better = m_order && m_order->ok() && (*m_order)->changed;
    m_orderButton->setEnabled(better);
    if (!better) {
        m_orderButton->setText(m_order && m_order->ok() ? tr("Rank order is best") : tr("Best rank order"));
        m_orderButton->setToolTip(!m_order         ? tr("Tries every rank order for the fastest step")
                                  : !m_order->ok() ? translated(m_order->error())
                                                   : tr("No other rank order makes the step faster"));
        return;
    }
    const BestOrder& found = **m_order;
    const double gain = found.before.step_s > 0 ? found.best.step_s / found.before.step_s - 1 : 0;
    const QString step = formatDelta(gain, u"%"_s);
    m_orderButton->setText(step.isEmpty() ? tr("Best rank order") : tr("Best rank order: step %1").arg(step));
    m_orderButton->setToolTip(tr("%1 instead of %2:\nstep %3 instead of %4, exposed communication %5 instead "
                                 "of %6,\nbusiest network "
                                 "port %7 instead of %8")
                                  .arg(QString::fromStdString(found.best.rank_order),
                                       QString::fromStdString(found.before.rank_order),
                                       formatSeconds(found.best.step_s), formatSeconds(found.before.step_s),
                                       seconds(found.best.exposed_comm_s),
                                       seconds(found.before.exposed_comm_s), bytes(found.best.nic_bytes),
                                       bytes(found.before.nic_bytes)));
}

void TopologyPage::useOrder() {
    if (!m_order || !m_order->ok() || !(*m_order)->changed) return;
    const Error error = m_document.change((*m_order)->plan, tr("Best rank order"));
    if (!error.what.empty()) emit problem(error);
}

void TopologyPage::setFailing(Failing what, qint64 node, qint64 port) {
    {
        const QSignalBlocker quietNode(m_failNode), quietPort(m_failPort);
        m_failNode->setValue(static_cast<int>(node));
        m_failPort->setValue(static_cast<int>(port));
        m_failing->setCurrentIndex(static_cast<int>(what));
    }
    findFailure();
}

void TopologyPage::findFailure() {
    const auto what = static_cast<Failing>(std::max(0, m_failing->currentIndex()));
    m_failNode->setEnabled(what != Failing::Nothing);
    m_failPort->setEnabled(what == Failing::Port);
    m_effect.reset();
    if (what == Failing::Nothing || !m_report || !m_report->placement) {
        m_failureWork.flush();
        m_effect.reset();
        return showFailure();
    }
    Outage outage;
    outage.node = m_failNode->value();
    if (what == Failing::Port) outage.nic = m_failPort->value();
    m_failureWork.run([this, outage, plan = m_document.plan(),
                       catalog = m_document.sharedCatalog()]() -> Background::Deliver {
        return [this, effect = failure_effect(plan, *catalog, outage)] {
            m_effect = effect;
            showFailure();
        };
    });
}

void TopologyPage::showFailure() {
    m_failure->setText(failureText());
    TopologyOutage outage;
    if (m_effect && m_effect->ok() && m_report && m_report->placement) {
        const FailureEffect& effect = **m_effect;
        outage.ranks = effect.ranks;
        outage.rerouted = !effect.ranks_lost;
        // The rest of a lost replica waits for members that are gone.
        const placement::Placement& placed = *m_report->placement;
        const auto& lost = effect.replicas_lost;
        for (qint64 rank = 0; effect.ranks_lost && rank < placed.world(); ++rank)
            if (std::find(lost.begin(), lost.end(), placed.dense().coordinate(rank, placement::Axis::dp)) !=
                lost.end())
                outage.stopped.push_back(rank);
    }
    m_map->setOutage(std::move(outage));
}

QString TopologyPage::failureText() const {
    if (!m_effect || !m_report || !m_report->placement)
        return tr("Take out a node or a network port to see which groups, replicas and how much "
                  "throughput go with it.");
    if (!m_effect->ok()) return translated(m_effect->error());
    const FailureEffect& effect = **m_effect;
    QStringList groups;
    const std::vector<GroupKind> named = shownKinds(*m_report->placement); // each dimension once
    for (const LostGroups& lost : effect.groups)
        if (lost.groups > 0 && std::find(named.begin(), named.end(), lost.kind) != named.end())
            groups << tr("%1 of %2 %3 groups").arg(lost.groups).arg(lost.of).arg(groupName(lost.kind));
    QStringList lines;
    const auto count = static_cast<int>(effect.ranks.size());
    const QString gpus = tr("%Ln GPU(s)", nullptr, count);
    const QString touched = groups.join(u", "_s);
    if (effect.ranks_lost)
        lines << (groups.isEmpty() ? tr("%1 gone.").arg(gpus)
                                   : tr("%1 gone; groups that lose members: %2.").arg(gpus, touched));
    else
        lines << (groups.isEmpty()
                      ? tr("%Ln GPU(s) send through the neighbouring port.", nullptr, count)
                      : tr("%Ln GPU(s) send through the neighbouring port; groups that wait for it: %1.",
                           nullptr, count)
                            .arg(touched));
    if (effect.ranks_lost)
        lines << tr("Replicas lost: %1 of %2.").arg(effect.replicas_lost.size()).arg(effect.replicas);
    if (effect.data_after == 0 || !(effect.tokens_per_s_after > 0))
        lines << tr("No whole replica is left: the run stops until it is repaired.");
    else
        lines << tr("Going on with data degree %1: %2 instead of %3, %4 less; step %5 instead of %6.")
                     .arg(effect.data_after)
                     .arg(formatRate(effect.tokens_per_s_after, u"tokens/s"_s),
                          formatRate(effect.tokens_per_s_before, u"tokens/s"_s),
                          formatPercent(1 - effect.throughput_share()), formatSeconds(effect.step_s_after),
                          formatSeconds(effect.step_s_before));
    const std::int64_t batch = m_report->setup->plan.training.global_batch_size;
    if (effect.data_after > 0 && effect.after.training.global_batch_size < batch)
        lines << tr("The global batch shrinks from %1 to %2: each replica keeps its share.")
                     .arg(batch)
                     .arg(effect.after.training.global_batch_size);
    return lines.join(u'\n');
}

bool TopologyPage::settled() const {
    return !m_pause->isActive() && m_orderWork.idle() && m_failureWork.idle();
}

void TopologyPage::settle() {
    if (m_pause->isActive()) findOrder();
    m_orderWork.flush();
    m_failureWork.flush();
}

void TopologyPage::retranslate() {
    const auto say = [](QAbstractButton* button, const QString& text, const QString& tip) {
        button->setText(text);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
    };
    say(m_nearer, u"+"_s, tr("Zoom in (W)"));
    say(m_farther, u"−"_s, tr("Zoom out (S)"));
    say(m_fit, tr("Fit"), tr("Show the whole cluster (F)"));
    m_search->setPlaceholderText(tr("GPU or node number"));
    m_orderButton->setAccessibleName(tr("Best rank order"));
    m_search->setAccessibleName(tr("Search a GPU or node"));
    showSearch(true);
    const QStringList tabs{tr("Groups"), tr("Collective"), tr("Links"), tr("Failure")};
    for (int i = 0; i < tabs.size(); ++i) m_tabs->setTabText(i, tabs[i]);
    m_tabs->tabBar()->setAccessibleName(tr("About the cluster"));
    m_tabs->setAccessibleName(tr("About the cluster"));
    m_groups->setHorizontalHeaderLabels(
        {tr("Group"), tr("GPUs"), tr("Spans"), tr("Crossing"), tr("Busiest link"), tr("Time")});
    m_groups->setAccessibleName(tr("Groups, those that cross nodes or pods first"));
    m_links->setHorizontalHeaderLabels(
        {tr("Link"), tr("Capacity"), tr("All links, a step"), tr("Busiest link"), tr("Busy")});
    m_links->setAccessibleName(tr("Load of every class of links"));
    m_members->setAccessibleName(tr("Groups of the GPU"));
    const QStringList failing{tr("Nothing fails"), tr("A node fails"), tr("A network port fails")};
    for (int i = 0; i < failing.size(); ++i) m_failing->setItemText(i, failing[i]);
    m_failing->setAccessibleName(tr("What fails"));
    m_nodeLabel->setText(tr("node"));
    m_portLabel->setText(tr("port"));
    m_failNode->setAccessibleName(tr("Node that fails"));
    m_failPort->setAccessibleName(tr("Network port that fails"));
    m_failure->setAccessibleName(tr("What the failure takes"));
    m_player->retranslate();
    fillGroups();
    fillLinks();
    showMembers();
    showOrder();
    m_failure->setText(failureText());
}

} // namespace shardlens
