// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/theme.h"

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QStyle>
#include <QStyleFactory>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>

namespace shardlens {

namespace {

struct Entry {
    Role role;
    QRgb light, dark, highContrast;
    Pattern pattern;
};

// Okabe–Ito based; the dark column is one step lighter, the third is for black paper.
constexpr std::array kEntries = {
    Entry{Role::Parameters, 0x0072B2, 0x56B4E9, 0x5CC8FF, Pattern::Solid},
    Entry{Role::Gradients, 0xE69F00, 0xF0B840, 0xFFC940, Pattern::Slash},
    Entry{Role::Optimizer, 0x009E73, 0x3CC79B, 0x4CFFC3, Pattern::Backslash},
    Entry{Role::Activations, 0xD55E00, 0xF28A4B, 0xFF9A57, Pattern::Dots},
    Entry{Role::Logits, 0xCC79A7, 0xE3A3C6, 0xFFB3DD, Pattern::Cross},
    Entry{Role::Buffers, 0x7A7A7A, 0xA8A8A8, 0xC8C8C8, Pattern::Horizontal},
    Entry{Role::Fragmentation, 0xB0B0B0, 0x707070, 0x909090, Pattern::Vertical},
    Entry{Role::Context, 0xD2D2D2, 0x565C66, 0x6A6A6A, Pattern::Grid},
    Entry{Role::TensorGroup, 0x0072B2, 0x56B4E9, 0x5CC8FF, Pattern::Solid},
    Entry{Role::DataGroup, 0xE69F00, 0xF0B840, 0xFFC940, Pattern::Slash},
    Entry{Role::PipelineGroup, 0x009E73, 0x3CC79B, 0x4CFFC3, Pattern::Backslash},
    Entry{Role::ExpertGroup, 0xD55E00, 0xF28A4B, 0xFF9A57, Pattern::Dots},
    Entry{Role::ContextGroup, 0xCC79A7, 0xE3A3C6, 0xFFB3DD, Pattern::Cross},
    Entry{Role::Forward, 0x56B4E9, 0x8CCBF2, 0xA6DEFF, Pattern::Solid},
    Entry{Role::Backward, 0x0072B2, 0x56B4E9, 0x36A8FF, Pattern::Backslash},
    Entry{Role::InputGradient, 0x4B8BBE, 0x7FB2D9, 0x8FC6F0, Pattern::Slash},
    Entry{Role::WeightGradient, 0x2F5D7C, 0x4F86AD, 0x6AA9D6, Pattern::Dots},
    Entry{Role::Recompute, 0xF0E442, 0xE6DA50, 0xFFF35C, Pattern::Slash},
    Entry{Role::Idle, 0xF4F4F6, 0x23272F, 0x000000, Pattern::Hatch},
    Entry{Role::Communication, 0x7A7A7A, 0xA8A8A8, 0xC8C8C8, Pattern::Horizontal},
    Entry{Role::DataCommunication, 0x949494, 0x8E8E8E, 0xB4B4B4, Pattern::Horizontal},
    Entry{Role::Offload, 0xA8865B, 0xC9A677, 0xE6C391, Pattern::Vertical},
    Entry{Role::Other, 0xD2D2D2, 0x565C66, 0x6A6A6A, Pattern::Grid},
    Entry{Role::Good, 0x0B7A53, 0x4CD3A0, 0x4CFFC3, Pattern::Solid},
    Entry{Role::Caution, 0x9A5B00, 0xF0B840, 0xFFD75C, Pattern::Solid},
    Entry{Role::Bad, 0xB3122F, 0xFF7A8A, 0xFF8A98, Pattern::Solid},
    Entry{Role::Capacity, 0xB3122F, 0xFF7A8A, 0xFF8A98, Pattern::Solid},
    Entry{Role::Usable, 0x9A5B00, 0xF0B840, 0xFFD75C, Pattern::Solid},
    Entry{Role::Highlight, 0xB84300, 0xFFB07A, 0xFFFF00, Pattern::Solid},
};

const Entry& entry(Role role) {
    const Entry& found = kEntries[static_cast<std::size_t>(role)];
    Q_ASSERT(found.role == role);
    return found;
}

QRgb pick(ThemeKind kind, QRgb light, QRgb dark, QRgb highContrast) {
    switch (kind) {
    case ThemeKind::Light: return light;
    case ThemeKind::Dark: return dark;
    case ThemeKind::HighContrast: return highContrast;
    }
    return light;
}

QColor opaque(QRgb rgb) { return QColor::fromRgb(rgb | 0xFF000000u); }

constexpr int kSide = 8; // of a pattern's tile

// Opaque, so that filling with it is a plain copy.
QImage tile(Pattern pattern, const QColor& paper, const QColor& ink) {
    QImage image(kSide, kSide, QImage::Format_RGB32);
    for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) {
            bool on = false;
            switch (pattern) {
            case Pattern::Solid: break;
            case Pattern::Slash:
            case Pattern::Hatch: on = (x + y) % kSide == 0; break;
            case Pattern::Backslash: on = (x - y + kSide) % kSide == 0; break;
            case Pattern::Dots: on = (x % 4 == 1 && y % 8 == 1) || (x % 4 == 3 && y % 8 == 5); break;
            case Pattern::Cross: on = (x + y) % kSide == 0 || (x - y + kSide) % kSide == 0; break;
            case Pattern::Horizontal: on = y % 4 == 0; break;
            case Pattern::Vertical: on = x % 4 == 0; break;
            case Pattern::Grid: on = x % kSide == 0 || y % kSide == 0; break;
            }
            image.setPixelColor(x, y, on ? ink : paper);
        }
    return image;
}

double channel(int value) {
    const double c = value / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& c) {
    return 0.2126 * channel(c.red()) + 0.7152 * channel(c.green()) + 0.0722 * channel(c.blue());
}

} // namespace

double contrastRatio(const QColor& a, const QColor& b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto blend = [share](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share)); };
    return {blend(a.red(), b.red()), blend(a.green(), b.green()), blend(a.blue(), b.blue())};
}

QColor readableOn(const QColor& background) {
    // The better of black and white is always at least √21 ≈ 4.58.
    return contrastRatio(Qt::black, background) >= contrastRatio(Qt::white, background) ? QColor(Qt::black)
                                                                                        : QColor(Qt::white);
}

Theme Theme::make(ThemeKind kind) { return Theme(kind); }

QColor Theme::color(Role role) const {
    const Entry& e = entry(role);
    return opaque(pick(m_kind, e.light, e.dark, e.highContrast));
}

QColor Theme::outline(const QColor& fill) const {
    const QColor towards = isDark() ? QColor(Qt::white) : QColor(Qt::black);
    double share = m_kind == ThemeKind::HighContrast ? 0.6 : 0.28;
    QColor result = mixed(fill, towards, share);
    while (contrastRatio(result, card()) < 3.1 && share < 1.0) {
        share += 0.04;
        result = mixed(fill, towards, std::min(share, 1.0));
    }
    return result;
}

QColor Theme::outline(Role role) const { return outline(color(role)); }

Pattern Theme::pattern(Role role) const { return entry(role).pattern; }

QBrush Theme::brush(Role role) const { return brush(color(role), pattern(role)); }

QColor Theme::ink(const QColor& fill, Pattern pattern) const {
    const bool strong = m_kind == ThemeKind::HighContrast;
    return pattern == Pattern::Hatch ? mixed(card(), text(), strong ? 0.6 : 0.28)
                                     : mixed(fill, outline(fill), strong ? 0.9 : 0.45);
}

QBrush Theme::brush(const QColor& fill, Pattern pattern) const {
    if (pattern == Pattern::Solid) return QBrush(fill);
    QBrush brush;
    brush.setTextureImage(tile(pattern, fill, ink(fill, pattern)));
    return brush;
}

void paintPattern(QPainter& painter, const QRectF& rect, Pattern pattern, const QColor& ink) {
    if (pattern == Pattern::Solid || rect.isEmpty()) return;
    QVector<QLineF> lines;
    // Tiles join between neighbours: lines stand at multiples of their distance from the origin.
    const auto first = [](double from, double step) { return std::ceil(from / step) * step; };
    const auto across = [&](double step) {
        for (double y = first(rect.top(), step); y < rect.bottom(); y += step)
            lines.append({rect.left(), y, rect.right(), y});
    };
    const auto down = [&](double step) {
        for (double x = first(rect.left(), step); x < rect.right(); x += step)
            lines.append({x, rect.top(), x, rect.bottom()});
    };
    // x + y = c (sign −1) or x − y = c (sign +1), cut at the edges of the rectangle.
    const auto diagonal = [&](int sign) {
        const double low = sign < 0 ? rect.left() + rect.top() : rect.left() - rect.bottom();
        const double high = sign < 0 ? rect.right() + rect.bottom() : rect.right() - rect.top();
        for (double c = first(low, kSide); c < high; c += kSide) {
            const auto xAt = [&](double y) { return c + sign * y; };
            const auto yAt = [&](double x) { return sign * (x - c); };
            const double a = xAt(rect.top()), b = xAt(rect.bottom());
            const double left = std::clamp(std::min(a, b), rect.left(), rect.right());
            const double right = std::clamp(std::max(a, b), rect.left(), rect.right());
            if (right > left) lines.append({left, yAt(left), right, yAt(right)});
        }
    };
    switch (pattern) {
    case Pattern::Solid: break;
    case Pattern::Slash:
    case Pattern::Hatch: diagonal(-1); break;
    case Pattern::Backslash: diagonal(+1); break;
    case Pattern::Cross:
        diagonal(-1);
        diagonal(+1);
        break;
    case Pattern::Horizontal: across(kSide / 2); break;
    case Pattern::Vertical: down(kSide / 2); break;
    case Pattern::Grid:
        across(kSide);
        down(kSide);
        break;
    case Pattern::Dots:
        for (double y = first(rect.top(), 4); y + 1 < rect.bottom(); y += 4)
            for (double x = first(rect.left(), kSide) + (std::fmod(y, kSide) == 0 ? 0 : 4);
                 x + 1 < rect.right(); x += kSide)
                lines.append({x, y + 0.5, x + 1, y + 0.5});
        break;
    }
    if (lines.isEmpty()) return;
    QPainterPath path;
    for (const QLineF& line : lines) {
        path.moveTo(line.p1());
        path.lineTo(line.p2());
    }
    QPen pen(ink, 1);
    pen.setCapStyle(Qt::FlatCap);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

QColor Theme::textOn(Role role) const { return readableOn(color(role)); }

QColor Theme::window() const { return opaque(pick(m_kind, 0xEBECF1, 0x14161B, 0x000000)); }
QColor Theme::card() const { return opaque(pick(m_kind, 0xFFFFFF, 0x1E2128, 0x000000)); }
QColor Theme::text() const { return opaque(pick(m_kind, 0x1B1D23, 0xECEEF2, 0xFFFFFF)); }
QColor Theme::mutedText() const { return opaque(pick(m_kind, 0x5D6070, 0xA9AFBC, 0xE0E0E0)); }
QColor Theme::grid() const { return opaque(pick(m_kind, 0xE3E4EA, 0x343943, 0x606060)); }
QColor Theme::border() const { return opaque(pick(m_kind, 0xD8DAE2, 0x363B46, 0xFFFFFF)); }
QColor Theme::accent() const { return opaque(pick(m_kind, 0x0072B2, 0x56B4E9, 0xFFFF00)); }

QColor Theme::categorical(int index) const {
    static constexpr std::array kRoles = {Role::Parameters,  Role::Forward, Role::Optimizer, Role::Gradients,
                                          Role::Activations, Role::Logits,  Role::Recompute, Role::Buffers};
    // In the dark tables forward and backward lie one step higher, so stage 0 takes the deeper blue there.
    if (m_kind != ThemeKind::Light && index % 8 == 0) return opaque(pick(m_kind, 0, 0x2F8FCB, 0x2F8FFF));
    return color(kRoles[static_cast<std::size_t>(((index % 8) + 8) % 8)]);
}

QPalette Theme::palette() const {
    QPalette p;
    const QColor button = isDark() ? mixed(card(), text(), 0.08) : card();
    p.setColor(QPalette::Window, window());
    p.setColor(QPalette::WindowText, text());
    p.setColor(QPalette::Base, card());
    p.setColor(QPalette::AlternateBase, mixed(card(), window(), 0.6));
    p.setColor(QPalette::Text, text());
    p.setColor(QPalette::PlaceholderText, mutedText());
    p.setColor(QPalette::Button, button);
    p.setColor(QPalette::ButtonText, text());
    p.setColor(QPalette::BrightText, color(Role::Bad));
    p.setColor(QPalette::Light, mixed(button, Qt::white, isDark() ? 0.15 : 0.6));
    p.setColor(QPalette::Midlight, mixed(button, text(), 0.05));
    p.setColor(QPalette::Mid, border());
    p.setColor(QPalette::Dark, mixed(border(), text(), 0.25));
    p.setColor(QPalette::Shadow, isDark() ? QColor(Qt::black) : mixed(border(), text(), 0.5));
    p.setColor(QPalette::Highlight, accent());
    p.setColor(QPalette::HighlightedText, readableOn(accent()));
    p.setColor(QPalette::Link, isDark() ? color(Role::Parameters) : color(Role::Backward));
    p.setColor(QPalette::LinkVisited, color(Role::Logits));
    p.setColor(QPalette::ToolTipBase, card());
    p.setColor(QPalette::ToolTipText, text());
    for (const auto role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        p.setColor(QPalette::Disabled, role, mixed(mutedText(), card(), 0.25));
    p.setColor(QPalette::Disabled, QPalette::Highlight, grid());
    return p;
}

void Theme::apply(QApplication& application) const {
    if (application.style()->name().compare(QLatin1String("fusion"), Qt::CaseInsensitive) != 0)
        application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    application.setPalette(palette());
    QToolTip::setPalette(palette());
    // Fusion draws the edge of a field a good step darker than its window, which is lost on dark paper.
    QPalette edged = palette();
    if (isDark()) edged.setColor(QPalette::Window, mixed(border(), text(), 0.35));
    for (const char* field :
         {"QLineEdit", "QCheckBox", "QRadioButton", "QComboBox", "QPlainTextEdit", "QSlider"})
        QApplication::setPalette(edged, field);
}

} // namespace shardlens
