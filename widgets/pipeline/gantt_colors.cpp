// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/gantt_colors.h"

#include <QPainter>
#include <algorithm>

namespace shardlens {

namespace {

constexpr std::array kKindRoles = {Role::Forward, Role::Backward, Role::InputGradient, Role::WeightGradient};
// Collectives of the data-parallel group carry its colour.
constexpr std::array kPartRoles = {Role::DataGroup, Role::DataGroup, Role::Optimizer, Role::Offload,
                                   Role::Other};
constexpr std::int64_t kMostShades = 4;
constexpr double kStaysFade = 0.5, kActivationsFade = 0.25; ///< curves stay behind the blocks
constexpr double kGatherFade = 0.55;

GanttFill made(const Theme& theme, const QColor& color, Pattern pattern) {
    return {theme.brush(color, pattern), color,  theme.outline(color), readableOn(color),
            theme.ink(color, pattern),   pattern};
}

} // namespace

void GanttColors::mix(const Theme& theme, By by, std::int64_t chunks) {
    const auto count = static_cast<std::size_t>(std::clamp<std::int64_t>(chunks, 1, kMostShades));
    if (m_mixedFor == theme.kind() && m_by == by && m_kinds.size() == count) return;
    m_mixedFor = theme.kind();
    m_by = by;
    m_kinds.resize(count);
    for (std::size_t chunk = 0; chunk < count; ++chunk)
        for (std::size_t kind = 0; kind < kKindRoles.size(); ++kind) {
            const double fade =
                count > 1 ? 0.45 * static_cast<double>(chunk) / static_cast<double>(count - 1) : 0;
            m_kinds[chunk][kind] = made(theme, mixed(theme.color(kKindRoles[kind]), theme.card(), fade),
                                        theme.pattern(kKindRoles[kind]));
        }
    for (std::size_t i = 0; i < m_microBatches.size(); ++i)
        for (std::size_t kind = 0; kind < kKindRoles.size(); ++kind)
            m_microBatches[i][kind] =
                made(theme, theme.categorical(static_cast<int>(i)), theme.pattern(kKindRoles[kind]));
    for (std::size_t kind = 0; kind < kKindRoles.size(); ++kind) {
        m_patterns[kind] =
            made(theme, mixed(theme.text(), theme.card(), 0.85), theme.pattern(kKindRoles[kind]));
        m_patterns[kind].ink = theme.text();
    }
    for (std::size_t part = 0; part < kPartRoles.size(); ++part)
        m_parts[part] = made(theme, theme.color(kPartRoles[part]), theme.pattern(kPartRoles[part]));
    // Gathering is the same group's: a paler shade of its colour, with a pattern of its own.
    m_parts[static_cast<std::size_t>(StepPart::param_gather)] =
        made(theme, mixed(theme.color(Role::DataGroup), theme.card(), kGatherFade), Pattern::Vertical);
    m_idle = made(theme, theme.color(Role::Idle), theme.pattern(Role::Idle));
    m_stays = made(theme, mixed(theme.color(Role::Buffers), theme.card(), kStaysFade), Pattern::Solid);
    m_activations = made(theme, mixed(theme.color(Role::Activations), theme.card(), kActivationsFade),
                         theme.pattern(Role::Activations));
}

const GanttFill& GanttColors::fill(const pipeline::Op& op) const {
    const auto kind = static_cast<std::size_t>(op.kind);
    return m_by == By::Kind ? m_kinds[op.chunk % m_kinds.size()][kind]
                            : m_microBatches[static_cast<std::size_t>(op.micro_batch) % 8][kind];
}

QRgb GanttColors::blend(const std::array<float, 4>& kindBusy, double span) const {
    if (!(span > 0)) return m_idle.color.rgb();
    double red = 0, green = 0, blue = 0, rest = 1;
    const auto add = [&](const QColor& color, double share) {
        red += share * color.red();
        green += share * color.green();
        blue += share * color.blue();
    };
    for (std::size_t kind = 0; kind < kindBusy.size(); ++kind) {
        const double share = kindBusy[kind] / span;
        rest -= share;
        add(m_kinds[0][kind].color, share);
    }
    add(m_idle.color, std::max(rest, 0.0));
    const auto byte = [](double value) { return std::clamp(static_cast<int>(value + 0.5), 0, 255); };
    return qRgb(byte(red), byte(green), byte(blue));
}

QRgb GanttColors::overlapped() const { return mixed(m_kinds[0][0].color, m_kinds[0][1].color, 0.5).rgb(); }

void paintFill(QPainter& painter, const QRectF& rect, const GanttFill& fill, bool vector) {
    if (vector) {
        painter.fillRect(rect, fill.color);
        if (rect.width() >= 3) paintPattern(painter, rect, fill.pattern, fill.ink);
    } else if (fill.pattern == Pattern::Solid) {
        painter.fillRect(rect.toRect(), fill.color);
    } else {
        painter.fillRect(rect, fill.brush);
    }
}

} // namespace shardlens
