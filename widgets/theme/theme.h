// SPDX-License-Identifier: GPL-3.0-or-later
// One table of colours and patterns for every view; a colour means one thing everywhere and never speaks
// alone.
#pragma once

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QPalette>
#include <QPen>

class QApplication;
class QPainter;

namespace shardlens {

enum class ThemeKind { Light, Dark, HighContrast };

/// What a colour stands for. Terms of the ledger, dimensions and parts of the step share entries on purpose:
/// parameters / TP, gradients / DP, optimizer / PP, activations / EP, logits / CP.
enum class Role {
    Parameters,
    Gradients,
    Optimizer,
    Activations,
    Logits,
    Buffers,
    Fragmentation,
    Context,
    TensorGroup,
    DataGroup,
    PipelineGroup,
    ExpertGroup,
    ContextGroup,
    Forward,
    Backward,
    InputGradient,
    WeightGradient,
    Recompute,
    Idle,
    Communication,
    DataCommunication,
    Offload,
    Other,
    Good,
    Caution,
    Bad,
    Capacity,
    Usable,
    Highlight,
};

/// The second channel beside colour.
enum class Pattern { Solid, Slash, Backslash, Dots, Cross, Horizontal, Vertical, Grid, Hatch };

class Theme {
public:
    [[nodiscard]] static Theme make(ThemeKind kind);

    [[nodiscard]] ThemeKind kind() const { return m_kind; }
    [[nodiscard]] bool isDark() const { return m_kind != ThemeKind::Light; }
    [[nodiscard]] QColor color(Role role) const;
    /// One step darker (light theme) or lighter (dark) than color().
    [[nodiscard]] QColor outline(Role role) const;
    /// The same for any fill; contrast at least 3 against card().
    [[nodiscard]] QColor outline(const QColor& fill) const;
    [[nodiscard]] Pattern pattern(Role role) const;
    /// color() with the role's pattern as second channel.
    [[nodiscard]] QBrush brush(Role role) const;
    /// Any fill with a pattern.
    [[nodiscard]] QBrush brush(const QColor& fill, Pattern pattern) const;
    /// What the pattern is drawn in on a fill.
    [[nodiscard]] QColor ink(const QColor& fill, Pattern pattern) const;
    /// Text that is readable (contrast at least 4.5) on color(role).
    [[nodiscard]] QColor textOn(Role role) const;
    [[nodiscard]] QColor window() const; ///< behind the cards
    [[nodiscard]] QColor card() const;   ///< background of a view
    [[nodiscard]] QColor text() const;
    [[nodiscard]] QColor mutedText() const;
    [[nodiscard]] QColor grid() const;
    [[nodiscard]] QColor border() const; ///< around cards and fields
    [[nodiscard]] QColor accent() const;
    /// Distinct colour for pipeline stage or group number `index` (repeats after 8).
    [[nodiscard]] QColor categorical(int index) const;
    [[nodiscard]] QPalette palette() const;
    /// Fusion style and palette. No style sheet: one for the whole window makes every widget dearer to build
    /// and to paint.
    void apply(QApplication& application) const;

private:
    explicit Theme(ThemeKind kind) : m_kind(kind) {}
    ThemeKind m_kind;
};

/// The pattern as lines and dots, for devices that take shapes but no images (SVG, PDF).
void paintPattern(QPainter& painter, const QRectF& rect, Pattern pattern, const QColor& ink);

/// Contrast ratio of WCAG 2.1.
[[nodiscard]] double contrastRatio(const QColor& a, const QColor& b);

/// `share` of b in a.
[[nodiscard]] QColor mixed(const QColor& a, const QColor& b, double share);

/// Black or white, whichever reads better on `background` (contrast at least 4.5).
[[nodiscard]] QColor readableOn(const QColor& background);

} // namespace shardlens
