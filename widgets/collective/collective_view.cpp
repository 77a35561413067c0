// SPDX-License-Identifier: GPL-3.0-or-later
#include "collective/collective_view.h"

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPainterPath>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "charts/stroke.h"
#include "controls/core_text.h"
#include "controls/quantity.h"
#include "controls/step_controls.h"
#include "cost/collectives.h"
#include "lessons/markdown_view.h"
#include "topology/collective_player.h"

namespace shardlens {

using namespace Qt::StringLiterals;
using placement::AllReduceKind;

namespace {

constexpr std::array kKinds = {AllReduceKind::ring, AllReduceKind::tree, AllReduceKind::two_level,
                               AllReduceKind::parameter_server};
constexpr double kGap = 10;

/// Decimal units: the vector is given in gigabytes.
QString bytesText(double bytes) {
    return toQString(lessons::format_number(bytes, "B", std::nullopt, localeNumberFormat()));
}

} // namespace

CollectiveCanvas::CollectiveCanvas(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {}

void CollectiveCanvas::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

void CollectiveCanvas::show(const CollectiveSpec& spec, const CollectiveState& state,
                            const placement::AllReduceStep& step, double progress, const QString& title) {
    m_spec = spec;
    m_state = state;
    m_step = step;
    m_progress = progress;
    m_title = title;
    fitLegend(); // the language may be another
    update();
}

// Node beside node, in rows; the parameter server's rank 0 is one of them.
QRectF CollectiveCanvas::rankRect(std::int64_t rank) const {
    ViewFrame frame;
    frame.update(*this);
    const QRectF body = QRectF(frame.body()).adjusted(4, 10, -4, -10 - m_legendHeight);
    const std::int64_t per_node = std::clamp<std::int64_t>(m_spec.per_node, 1, m_spec.ranks);
    const std::int64_t nodes = (m_spec.ranks + per_node - 1) / per_node;
    // The most even grid for the room: ranks beside each other inside a node, nodes in rows.
    const auto columns = static_cast<std::int64_t>(std::ceil(
        std::sqrt(double(nodes) * std::max(0.4, body.width() / (body.height() * double(per_node) * 0.45)))));
    const std::int64_t across = std::clamp<std::int64_t>(columns, 1, nodes);
    const std::int64_t down = (nodes + across - 1) / across;
    const double node_width = (body.width() - kGap * double(across - 1)) / double(across);
    const double node_height = (body.height() - 2 * kGap * double(down - 1)) / double(down);
    const std::int64_t node = rank / per_node, place = rank % per_node;
    const double left = body.left() + double(node % across) * (node_width + kGap);
    const double top = body.top() + double(node / across) * (node_height + 2 * kGap);
    const double width = (node_width - kGap) / double(per_node);
    const double height = std::min(node_height - 8, width * 3);
    return {left + kGap / 2 + double(place) * width + width * 0.16, top + (node_height - height) / 2,
            width * 0.68, height};
}

int CollectiveCanvas::drawLegend(QPainter* painter, const QRect& area) {
    LegendPainter legend(painter, m_frame.labels(), m_theme, area);
    legend.add(m_theme.brush(Role::Gradients), m_theme.outline(Role::Gradients),
               CollectiveView::tr("summed over some ranks, as wide as their share"));
    legend.add(m_theme.brush(Role::Optimizer), m_theme.outline(Role::Optimizer),
               CollectiveView::tr("summed over all ranks"));
    return legend.height();
}

void CollectiveCanvas::fitLegend() {
    m_frame.update(*this);
    m_legendHeight = drawLegend(nullptr, m_frame.body());
}

void CollectiveCanvas::resizeEvent(QResizeEvent*) { fitLegend(); }

void CollectiveCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) fitLegend();
    QWidget::changeEvent(event);
}

void CollectiveCanvas::paintRank(QPainter& painter, std::int64_t rank) {
    const QRectF rect = rankRect(rank);
    const double line = QFontMetricsF(font()).height();
    const bool named =
        rect.width() >= QFontMetricsF(font()).horizontalAdvance(u"00"_s) + 4 && rect.height() > 2.5 * line;
    const bool server = m_spec.kind == AllReduceKind::parameter_server && rank == 0;
    QRectF bar = rect;
    if (named) {
        painter.setPen(m_theme.text());
        QString name = QString::number(rank);
        if (server) {
            const QString longer = name + u" · "_s + CollectiveView::tr("server");
            // Half of the gap to the neighbour on each side, which is as wide as this one.
            const double room = rect.width() / 0.68;
            name = QFontMetricsF(font()).horizontalAdvance(longer) <= room ? longer
                                                                           : CollectiveView::tr("server");
        }
        painter.drawText(QRectF(rect.left() - 60, rect.top(), rect.width() + 120, line), Qt::AlignCenter,
                         name);
        bar.setTop(rect.top() + line);
    }
    const auto& parts = m_state.holds[static_cast<std::size_t>(rank)];
    const double height = bar.height() / double(parts.size());
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const QRectF cell(bar.left(), bar.top() + double(part) * height, bar.width(), height);
        // As wide as the share of the ranks whose values are in it; whole and in another pattern when done.
        const int summed = std::popcount(parts[part]);
        const bool done = summed == int(m_spec.ranks);
        const Role role = done ? Role::Optimizer : Role::Gradients;
        painter.fillRect(cell, m_theme.brush(Role::Idle));
        painter.fillRect(
            QRectF(cell.left(), cell.top(), cell.width() * summed / double(m_spec.ranks), height),
            m_theme.brush(role));
        if (height >= 4) {
            painter.setPen(QPen(m_theme.outline(role), 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(cell.adjusted(0, 0, -1, -1));
        }
    }
    painter.setPen(server ? QPen(m_theme.color(Role::Highlight), strokeWidth(font(), 2.5))
                          : QPen(m_theme.outline(Role::Gradients), strokeWidth(font())));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar);
}

void CollectiveCanvas::paintArrows(QPainter& painter) {
    painter.setRenderHint(QPainter::Antialiasing, true);
    const QColor ink = m_theme.color(Role::Highlight);
    const double above = 5 + strokeWidth(font(), 4); // over the frame of the node, too
    for (const placement::Transfer& transfer : m_step.transfers) {
        const QRectF from = rankRect(transfer.from), to = rankRect(transfer.to);
        const bool same_row = std::abs(from.center().y() - to.center().y()) < 1;
        // Ends above a rank keep off its number; between rows an arrow leaves and enters on the sides that
        // face.
        const bool down = !same_row && from.center().y() < to.center().y();
        const QPointF a(from.center().x(), down ? from.bottom() : from.top() - above);
        const QPointF b(to.center().x(), same_row || down ? to.top() - above : to.bottom() + 2);
        // An arc over the row; the longer the way, the higher, within the card.
        const double rise = same_row ? std::min(0.35 * std::abs(b.x() - a.x()) + 6, a.y() - 26.0) : 0;
        QPainterPath path(a);
        path.quadTo((a + b) / 2 - QPointF(0, std::max(rise, 4.0)), b);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(ink, strokeWidth(font(), m_step.transfers.size() > 16 ? 1 : 1.5)));
        painter.drawPath(path);
        painter.setPen(Qt::NoPen);
        painter.setBrush(ink);
        const double size = strokeWidth(font(), 4);
        // The message on its way, and the head that says which way.
        const QPointF at = path.pointAtPercent(std::clamp(m_progress, 0.0, 1.0));
        painter.drawEllipse(at, size, size);
        const double angle = path.angleAtPercent(0.98) * 3.14159265358979 / 180;
        const QPointF along(std::cos(angle), -std::sin(angle)), side(along.y(), -along.x());
        painter.drawPolygon(
            QPolygonF{b, b - along * size * 2.2 + side * size, b - along * size * 2.2 - side * size});
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void CollectiveCanvas::paintEvent(QPaintEvent*) {
    m_frame.update(*this);
    QPainter painter(this);
    m_frame.paint(painter, m_theme, m_title, {});
    painter.setFont(font());
    if (m_state.holds.empty()) return;
    const std::int64_t per_node = std::clamp<std::int64_t>(m_spec.per_node, 1, m_spec.ranks);
    for (std::int64_t first = 0; first < m_spec.ranks; first += per_node) {
        const QRectF a = rankRect(first), b = rankRect(std::min(first + per_node, m_spec.ranks) - 1);
        painter.setPen(QPen(m_theme.border(), strokeWidth(font())));
        painter.setBrush(mixed(m_theme.card(), m_theme.window(), 0.7));
        painter.drawRoundedRect(a.united(b).adjusted(-kGap / 2, -4, kGap / 2, 4), 4, 4);
    }
    for (std::int64_t rank = 0; rank < m_spec.ranks; ++rank) paintRank(painter, rank);
    paintArrows(painter);
    const QRect body = m_frame.body();
    drawLegend(&painter, body.adjusted(0, body.height() - m_legendHeight, 0, 0));
}

CollectiveView::CollectiveView(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_kind(new QComboBox), m_ranks(new QSpinBox), m_perNode(new QSpinBox),
      m_bytes(new QLineEdit), m_ranksLabel(new QLabel), m_perNodeLabel(new QLabel), m_bytesLabel(new QLabel),
      m_caption(new QLabel), m_canvas(new CollectiveCanvas(theme)), m_controls(new StepControls) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    auto* tools = new QHBoxLayout;
    for (std::size_t i = 0; i < kKinds.size(); ++i) m_kind->addItem(QString());
    m_ranks->setRange(2, int(kMostPlayedRanks));
    m_perNode->setRange(1, int(kMostPlayedRanks));
    m_bytes->setMaximumWidth(110);
    tools->addWidget(m_kind);
    const std::pair<QLabel*, QWidget*> fields[] = {
        {m_ranksLabel, m_ranks}, {m_perNodeLabel, m_perNode}, {m_bytesLabel, m_bytes}};
    for (const auto& [label, field] : fields) {
        label->setBuddy(field);
        tools->addWidget(label);
        tools->addWidget(field);
    }
    tools->addStretch(1);
    m_caption->setWordWrap(true);
    m_caption->setTextFormat(Qt::PlainText);
    m_caption->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addLayout(tools);
    layout->addWidget(m_canvas, 1);
    layout->addWidget(m_controls);
    layout->addWidget(m_caption);
    connect(m_kind, &QComboBox::activated, this, &CollectiveView::readControls);
    connect(m_ranks, &QSpinBox::valueChanged, this, &CollectiveView::readControls);
    connect(m_perNode, &QSpinBox::valueChanged, this, &CollectiveView::readControls);
    connect(m_bytes, &QLineEdit::editingFinished, this, &CollectiveView::readControls);
    connect(m_controls, &StepControls::changed, this, &CollectiveView::refresh);
    retranslate();
    setSpec(m_spec);
}

void CollectiveView::setSpec(const CollectiveSpec& spec) {
    m_spec = spec;
    m_spec.ranks = std::clamp<std::int64_t>(spec.ranks, 2, kMostPlayedRanks);
    m_spec.per_node = std::clamp<std::int64_t>(spec.per_node, 1, kMostPlayedRanks);
    const QSignalBlocker a(m_ranks), b(m_perNode);
    m_kind->setCurrentIndex(int(std::find(kKinds.begin(), kKinds.end(), spec.kind) - kKinds.begin()));
    m_ranks->setValue(int(m_spec.ranks));
    m_perNode->setValue(int(m_spec.per_node));
    m_bytes->setText(editText(m_spec.bytes / 1e9));
    rebuild();
}

void CollectiveView::readControls() {
    CollectiveSpec spec = m_spec;
    spec.kind = kKinds[static_cast<std::size_t>(std::max(0, m_kind->currentIndex()))];
    spec.ranks = m_ranks->value();
    spec.per_node = m_perNode->value();
    if (const auto typed = parseQuantity(m_bytes->text(), QuantityKind::Real); typed && *typed > 0)
        spec.bytes = *typed * 1e9;
    if (spec != m_spec) setSpec(spec);
}

void CollectiveView::rebuild() {
    m_steps.reset();
    m_problem.clear();
    auto made = collectiveSteps(m_spec);
    if (made)
        m_steps = std::move(made).value();
    else
        m_problem = translated(made.error());
    m_controls->setCount(m_steps ? m_steps->count() : 0); // refreshes
}

void CollectiveView::refresh() {
    if (m_steps) {
        const std::int64_t step = m_controls->step();
        const bool over = m_controls->progress() >= 1;
        m_canvas->show(m_spec, collectiveState(*m_steps, m_spec.ranks, step + (over ? 1 : 0)),
                       over ? placement::AllReduceStep{} : m_steps->step(step), m_controls->progress(),
                       tr("All-reduce: %1").arg(algorithmName(m_spec.kind)));
    } else {
        m_canvas->show(m_spec, {}, {}, 0, tr("All-reduce: %1").arg(algorithmName(m_spec.kind)));
    }
    m_caption->setText(caption());
    m_canvas->setAccessibleDescription(caption());
}

double CollectiveView::countedBytes() const {
    return m_steps ? collectiveState(*m_steps, m_spec.ranks, m_steps->count()).busiest(m_spec.kind) : 0;
}

double CollectiveView::expectedBytes() const {
    const auto ranks = double(m_spec.ranks);
    switch (m_spec.kind) {
    case AllReduceKind::parameter_server: return cost::parameter_server_bytes(ranks, m_spec.bytes);
    case AllReduceKind::tree: return m_steps ? m_steps->busiest_bytes() : 0;
    default: return cost::ring_all_reduce_bytes(ranks, m_spec.bytes);
    }
}

QString CollectiveView::caption() const {
    if (!m_steps) return m_problem;
    const std::int64_t step = m_controls->step();
    const auto now = m_steps->step(step);
    const bool over = m_controls->progress() >= 1;
    const bool server = m_spec.kind == AllReduceKind::parameter_server;
    double moved = 0;
    for (const auto& transfer : now.transfers) moved += transfer.bytes;
    QString text = tr("Plays: %1, %2 ranks, %3 on each.")
                       .arg(algorithmName(m_spec.kind))
                       .arg(m_spec.ranks)
                       .arg(bytesText(m_spec.bytes));
    if (server) text += u' ' + tr("Rank 0 is the server.");
    text += u'\n' + tr("Step %1 of %2: %3, %4 move.")
                        .arg(step + 1)
                        .arg(m_steps->count())
                        .arg(phaseName(m_spec.kind, now), bytesText(moved));
    const double so_far = collectiveState(*m_steps, m_spec.ranks, step + (over ? 1 : 0)).busiest(m_spec.kind);
    text += u'\n' + (server ? tr("Through the server's port so far: %1 of %2.")
                            : tr("The busiest rank has sent %1 of %2."))
                        .arg(bytesText(so_far), bytesText(countedBytes()));
    const bool nodes = m_spec.per_node < m_spec.ranks;
    if (nodes)
        text += u' ' + tr("Between the nodes: %1 of %2.")
                           .arg(bytesText(crossedBytes(*m_steps, m_spec.per_node, step + (over ? 1 : 0))),
                                bytesText(crossedBytes(*m_steps, m_spec.per_node, m_steps->count())));
    const auto ranks = double(m_spec.ranks);
    text += (nodes ? u'\n' : u' ') +
            tr("2N(P − 1)/P is %1, 2N(P − 1) is %2 for N = %3 and P = %4.")
                .arg(bytesText(cost::ring_all_reduce_bytes(ranks, m_spec.bytes)),
                     bytesText(cost::parameter_server_bytes(ranks, m_spec.bytes)), bytesText(m_spec.bytes))
                .arg(m_spec.ranks);
    return text;
}

void CollectiveView::setTheme(const Theme& theme) { m_canvas->setTheme(theme); }

void CollectiveView::retranslate() {
    for (std::size_t i = 0; i < kKinds.size(); ++i) m_kind->setItemText(int(i), algorithmName(kKinds[i]));
    m_kind->setAccessibleName(tr("Algorithm of the all-reduce"));
    m_ranksLabel->setText(tr("Ranks"));
    m_perNodeLabel->setText(tr("per node"));
    m_bytesLabel->setText(tr("GB"));
    m_ranks->setAccessibleName(tr("Ranks of the all-reduce"));
    m_perNode->setAccessibleName(tr("Ranks on each node"));
    m_bytes->setAccessibleName(tr("Gigabytes of the vector"));
    m_bytes->setToolTip(tr("Gigabytes of the vector that every rank has"));
    m_caption->setAccessibleName(tr("What happens in this step"));
    m_canvas->setAccessibleName(tr("Ranks and what they send"));
    m_controls->retranslate();
    refresh();
}

void CollectiveView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

} // namespace shardlens
