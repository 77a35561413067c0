// SPDX-License-Identifier: GPL-3.0-or-later
// The colour table: contrast, patterns, and that one meaning has one colour.
#include "catch.h"

#include <QImage>
#include <cmath>
#include <set>

#include "charts/terms.h"
#include "theme/theme.h"

using namespace shardlens;

namespace {

constexpr std::array kKinds = {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast};

std::vector<Role> allRoles() {
    std::vector<Role> roles;
    for (int i = 0; i <= static_cast<int>(Role::Highlight); ++i) roles.push_back(static_cast<Role>(i));
    return roles;
}

} // namespace

TEST_CASE("contrast ratio as WCAG 2.1 defines it") {
    CHECK(contrastRatio(Qt::black, Qt::white) == Approx(21));
    CHECK(contrastRatio(Qt::white, Qt::white) == Approx(1));
    // #777777 on white is the well-known case that just misses 4.5.
    CHECK(contrastRatio(QColor(0x77, 0x77, 0x77), Qt::white) == Approx(4.48).margin(0.005));
}

TEST_CASE("text is readable and marks are seen in every theme") {
    for (const ThemeKind kind : kKinds) {
        const Theme theme = Theme::make(kind);
        INFO("theme " << static_cast<int>(kind));
        for (const QColor& paper : {theme.card(), theme.window()}) {
            CHECK(contrastRatio(theme.text(), paper) >= 4.5);
            CHECK(contrastRatio(theme.mutedText(), paper) >= 4.5);
        }
        for (const Role role :
             {Role::Good, Role::Caution, Role::Bad, Role::Capacity, Role::Usable, Role::Highlight})
            CHECK(contrastRatio(theme.color(role), theme.card()) >= 4.5); // they are written as text
        for (const Role role : allRoles()) {
            INFO("role " << static_cast<int>(role));
            CHECK(contrastRatio(theme.textOn(role), theme.color(role)) >= 4.5);
            CHECK(contrastRatio(theme.outline(role), theme.card()) >= 3);
        }
        CHECK(contrastRatio(theme.accent(), theme.card()) >= 3);
        const QPalette palette = theme.palette();
        CHECK(contrastRatio(palette.color(QPalette::ButtonText), palette.color(QPalette::Button)) >= 4.5);
        CHECK(contrastRatio(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) >=
              4.5);
        CHECK(contrastRatio(palette.color(QPalette::ToolTipText), palette.color(QPalette::ToolTipBase)) >=
              4.5);
        CHECK(contrastRatio(palette.color(QPalette::PlaceholderText), palette.color(QPalette::Base)) >= 4.5);
    }
}

TEST_CASE("terms and dimensions share their colours in pairs") {
    for (const ThemeKind kind : kKinds) {
        const Theme theme = Theme::make(kind);
        CHECK(theme.color(Role::Parameters) == theme.color(Role::TensorGroup));
        CHECK(theme.color(Role::Gradients) == theme.color(Role::DataGroup));
        CHECK(theme.color(Role::Optimizer) == theme.color(Role::PipelineGroup));
        CHECK(theme.color(Role::Activations) == theme.color(Role::ExpertGroup));
        CHECK(theme.color(Role::Logits) == theme.color(Role::ContextGroup));
    }
}

TEST_CASE("blocks that touch differ in more than colour") {
    // The fill as a picture: terms of one stack must not look alike when colour is taken away.
    for (const ThemeKind kind : kKinds) {
        const Theme theme = Theme::make(kind);
        std::set<std::vector<bool>> patterns;
        for (const MemoryTerm& term : memoryTerms()) {
            const QImage tile = theme.brush(term.role).textureImage();
            std::vector<bool> bits;
            for (int y = 0; y < tile.height(); ++y)
                for (int x = 0; x < tile.width(); ++x)
                    bits.push_back(tile.pixelColor(x, y) != theme.color(term.role));
            patterns.insert(bits);
        }
        CHECK(patterns.size() == memoryTerms().size());
    }
}

TEST_CASE("stage colours differ and repeat after eight") {
    for (const ThemeKind kind : kKinds) {
        const Theme theme = Theme::make(kind);
        std::set<QRgb> seen;
        for (int i = 0; i < 8; ++i) seen.insert(theme.categorical(i).rgb());
        CHECK(seen.size() == 8);
        CHECK(theme.categorical(11) == theme.categorical(3));
    }
}

TEST_CASE("parts of memory and step carry the contract's paths") {
    CHECK(memoryTerms().front().path(2) == QStringLiteral("memory.stages.2.parameters_bytes"));
    CHECK(timeParts().back().path() == QStringLiteral("time.other_s"));
    CHECK(memoryTerms().size() == 8);
    CHECK(timeParts().size() == 12);
}
