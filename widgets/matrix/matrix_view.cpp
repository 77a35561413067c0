// SPDX-License-Identifier: GPL-3.0-or-later
#include "matrix/matrix_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "charts/stroke.h"
#include "format.h"

namespace shardlens {

using namespace Qt::StringLiterals;
using model::OperatorKind;

namespace {

constexpr double kFootLines = 3.1; ///< of the sentence below the drawing

} // namespace

MatrixView::MatrixView(const Theme& theme, Interaction& interaction, QWidget* parent)
    : ReportView(theme, interaction, parent) {
    setFocusPolicy(Qt::StrongFocus);
    retranslate();
}

void MatrixView::setTensor(std::optional<std::int64_t> tensor) {
    m_tensor = tensor;
    rebuild();
}

void MatrixView::setSequence(std::optional<bool> sequence) {
    m_sequence = sequence;
    rebuild();
}

void MatrixView::setExperts(std::optional<bool> moe) {
    m_moe = moe;
    rebuild();
}

void MatrixView::setRank(std::int64_t rank) {
    const std::int64_t wanted = std::clamp<std::int64_t>(rank, 0, m_model.tensor - 1);
    if (wanted == m_rank) return;
    m_rank = wanted;
    setAccessibleDescription(description());
    update();
    emit rankChanged();
}

void MatrixView::reportChanged() { rebuild(); }

void MatrixView::rebuild() {
    m_have = report() && report()->setup;
    if (m_have) {
        const Setup& setup = *report()->setup;
        m_model = matrixModel(setup, m_tensor.value_or(setup.tensor), m_sequence.value_or(setup.sequence),
                              setup.moe() && (m_moe.value_or(true) || !hasDenseLayers()));
        m_rank = std::clamp<std::int64_t>(m_rank, 0, m_model.tensor - 1);
    }
    setAccessibleDescription(description());
    update();
}

QString MatrixView::uneven() const {
    if (!m_have) return {};
    const ModelShape& shape = report()->setup->shape;
    const std::int64_t t = m_model.tensor, kv = shape.kv();
    if (shape.heads % t != 0)
        return tr("%1 heads cannot be shared evenly by %2 ranks.").arg(shape.heads).arg(t);
    if (!shape.mla && kv % t != 0 && t % kv != 0)
        return tr("%1 key heads cannot be shared evenly by %2 ranks.").arg(kv).arg(t);
    if (m_model.experts % m_model.expert_ranks != 0)
        return tr("%1 experts cannot be shared evenly by %2 ranks.")
            .arg(m_model.experts)
            .arg(m_model.expert_ranks);
    for (const MatrixHalf* half : {&m_model.mlp, &m_model.shared})
        for (const MatrixPart& part : half->parts)
            if (const auto* box = std::get_if<MatrixBox>(&part); box && !box->even)
                return tr("%1 columns of the MLP cannot be shared evenly by %2 ranks.")
                    .arg(count(box->cut == MatrixCut::rows ? box->rows : box->columns))
                    .arg(box->ranks);
    return {};
}

QString MatrixView::description() const {
    if (!m_have) return tr("Open a plan to see how its layers are cut.");
    QString text = tr("Tensor parallelism over %1 ranks; rank %2 is filled.").arg(m_model.tensor).arg(m_rank);
    if (m_model.experts > 0) text += u' ' + expertsText() + u'.';
    if (const QString problem = uneven(); !problem.isEmpty()) text += u' ' + problem;
    return text;
}

void MatrixView::retranslate() {
    setAccessibleName(tr("Matrices of a layer"));
    setAccessibleDescription(description());
    update();
}

bool MatrixView::hasDenseLayers() const {
    const auto& moe = report()->setup->shape.moe;
    return !moe || moe->dense_layers > 0 || moe->layer_step > 1;
}

QString MatrixView::expertsText() const {
    const std::int64_t shared_by = report()->setup->expert_tensor;
    const QString text = tr("Routed experts: %1 of %2 on a rank, expert parallel %3")
                             .arg(count(m_model.local_experts()))
                             .arg(m_model.experts)
                             .arg(m_model.expert_ranks);
    return shared_by > 1 ? text + tr(", each cut over %1 ranks").arg(shared_by) : text;
}

std::vector<MatrixView::Row> MatrixView::rows() const {
    std::vector<Row> rows{{&m_model.attention, tr("Attention"), {}}};
    rows.push_back({&m_model.mlp, m_model.experts > 0 ? expertsText() : tr("MLP"), {}});
    if (!m_model.shared.parts.empty())
        rows.push_back({&m_model.shared, tr("Shared expert, beside the routed ones"), {}});
    ViewFrame frame;
    frame.update(*this);
    const double line = QFontMetricsF(font()).height();
    QRectF body = frame.body();
    body.setBottom(body.bottom() - kFootLines * line - 6);
    const double height = body.height() / double(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].area = QRectF(body.left(), body.top() + double(i) * height, body.width(), height);
    return rows;
}

void MatrixView::paintEvent(QPaintEvent*) {
    countPaint();
    m_frame.update(*this);
    QPainter painter(this);
    const QString note =
        m_have ? tr("t = %1, %2")
                     .arg(m_model.tensor)
                     .arg(m_model.sequence ? tr("sequence parallel") : tr("no sequence parallelism"))
               : QString();
    m_frame.paint(painter, theme(), tr("One layer on rank %1 of a tensor group").arg(m_rank),
                  {note + u" · "_s + tr("click or arrow keys: another rank"), note});
    if (!m_have) return m_frame.paintEmpty(painter, theme(), description());
    const std::vector<Row> all = rows();
    for (const Row& row : all) paintHalf(painter, *row.half, row.area, row.title);
    const double line = QFontMetricsF(font()).height();
    const QRectF foot(m_frame.body().left(), all.back().area.bottom() + 4, m_frame.body().width(),
                      kFootLines * line);
    const QString problem = uneven();
    const QString below = problem.isEmpty() ? tr("Below a matrix: what one rank holds. On an edge: tokens × "
                                                 "columns that this rank has.")
                                            : u"✗ "_s + problem;
    const bool dispatched = m_model.experts > 0 && m_model.expert_ranks > 1;
    QStringList sentences{below};
    if (m_model.tensor > 1)
        sentences << (m_model.sequence
                          ? tr("Forward as drawn; backward runs the same places the other way, gather and "
                               "scatter exchanged.")
                          : tr("Forward as drawn; backward has an all-reduce where the region begins."));
    else if (!dispatched)
        sentences << tr("One rank alone talks to nobody.");
    if (dispatched)
        sentences << tr("All-to-all takes tokens to their experts and back, in backward once more.");
    painter.setFont(font());
    painter.setPen(problem.isEmpty() ? theme().mutedText() : theme().color(Role::Bad));
    painter.drawText(foot, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, sentences.join(u' '));
}

void MatrixView::mousePressEvent(QMouseEvent* event) {
    if (!m_have) return;
    const double line = QFontMetricsF(font()).height();
    for (const auto& [half, title, area] : rows())
        for (const PlacedPart& part : placeHalf(*half, area.adjusted(0, line * 0.6, 0, 0), line).parts) {
            if (!part.rect.contains(event->position())) continue;
            if (const auto* box = std::get_if<MatrixBox>(&half->parts[part.index])) {
                for (std::int64_t rank = 0; rank < box->ranks; ++rank)
                    if (rankPart(part.rect, box->cut, rank, box->ranks).contains(event->position())) {
                        if (box->cut != MatrixCut::whole) setRank(rank);
                        return;
                    }
            } else if (std::holds_alternative<MatrixHeads>(half->parts[part.index])) {
                const double share = (event->position().x() - part.rect.left()) / part.rect.width();
                return setRank(std::int64_t(share * double(m_model.tensor)));
            }
        }
}

void MatrixView::keyPressEvent(QKeyEvent* event) {
    const std::int64_t by = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down ? 1
                            : event->key() == Qt::Key_Left || event->key() == Qt::Key_Up  ? -1
                                                                                          : 0;
    if (by == 0) return ReportView::keyPressEvent(event);
    setRank(m_rank + by);
}

void MatrixView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) update();
    ReportView::changeEvent(event);
}

void MatrixView::focusInEvent(QFocusEvent* event) {
    ReportView::focusInEvent(event);
    update();
}

void MatrixView::focusOutEvent(QFocusEvent* event) {
    ReportView::focusOutEvent(event);
    update();
}

} // namespace shardlens
