// SPDX-License-Identifier: GPL-3.0-or-later
// What blocks of the timeline look like: colour, pattern, outline, number.
#pragma once

#include <QBrush>
#include <array>
#include <optional>
#include <vector>

#include "pipeline/schedule.h"
#include "report/step_timeline.h"
#include "theme/theme.h"

namespace shardlens {

struct GanttFill {
    QBrush brush;
    QColor color, outline, text, ink;
    Pattern pattern = Pattern::Solid;
};

class GanttColors {
public:
    /// What the colour of a block tells; its pattern tells the kind in both.
    enum class By { Kind, MicroBatch };

    /// Chunks of one rank are shades of the same colour, the first chunk being the full one.
    void mix(const Theme& theme, By by, std::int64_t chunks);

    [[nodiscard]] By by() const { return m_by; }
    [[nodiscard]] const GanttFill& fill(const pipeline::Op& op) const;
    /// What a kind looks like in the legend: where colour tells the micro-batch, its pattern alone.
    [[nodiscard]] const GanttFill& legend(pipeline::OpKind kind) const {
        return (m_by == By::Kind ? m_kinds[0] : m_patterns)[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] const GanttFill& fill(StepPart part) const {
        return m_parts[static_cast<std::size_t>(part)];
    }
    [[nodiscard]] const GanttFill& idle() const { return m_idle; }
    /// Of the curve of memory: what is there for the whole step, and what comes and goes.
    [[nodiscard]] const GanttFill& stays() const { return m_stays; }
    [[nodiscard]] const GanttFill& activations() const { return m_activations; }
    /// Of a run of thin blocks: theirs and that of waiting, mixed by time (`kindBusy` and `span` in one
    /// unit).
    [[nodiscard]] QRgb blend(const std::array<float, 4>& kindBusy, double span) const;
    /// Of a forward and a backward at once, where they are too thin to be drawn one above the other.
    [[nodiscard]] QRgb overlapped() const;

private:
    using Kinds = std::array<GanttFill, 4>;

    std::optional<ThemeKind> m_mixedFor; // brushes are dear: every step of a slider asks for them
    By m_by = By::Kind;
    std::vector<Kinds> m_kinds;          // per chunk
    std::array<Kinds, 8> m_microBatches; // repeats after eight
    Kinds m_patterns;
    std::array<GanttFill, 5> m_parts; // by StepPart
    GanttFill m_idle, m_stays, m_activations;
};

/// Fills a rectangle; as lines instead of an image where `vector` says so.
void paintFill(QPainter& painter, const QRectF& rect, const GanttFill& fill, bool vector);

} // namespace shardlens
