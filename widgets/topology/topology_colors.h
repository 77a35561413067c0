// SPDX-License-Identifier: GPL-3.0-or-later
// What the colour and the pattern of a GPU on the cluster map stand for.
#pragma once

#include <QColor>
#include <QCoreApplication>
#include <QString>
#include <cstdint>
#include <vector>

#include "report/report.h"
#include "theme/theme.h"

namespace shardlens {

/// Context of the texts that the map and the panels beside it share.
struct TopologyTexts {
    Q_DECLARE_TR_FUNCTIONS(shardlens::TopologyView)
};

[[nodiscard]] Role roleOf(placement::GroupKind kind);
/// "tensor", in the user's language.
[[nodiscard]] QString groupName(placement::GroupKind kind);
/// "T": one letter on a member of a lit group, beside its colour.
[[nodiscard]] QString groupLetter(placement::GroupKind kind);
/// The kinds of groups with more than one member that the map lights up; where context parallelism makes
/// gradients reduce over data and context together, that group stands for data.
[[nodiscard]] std::vector<placement::GroupKind> shownKinds(const placement::Placement& placement);
/// Those and what the map draws no colour for: the groups that experts' gradients reduce over.
[[nodiscard]] std::vector<placement::GroupKind> listedKinds(const placement::Placement& placement);

/// What the plan sends over groups of a kind; null for nothing. Data groups reduce over data and context, or
/// over shards.
[[nodiscard]] const placement::CollectiveTraffic* collectiveOf(const Report& report,
                                                               placement::GroupKind kind);

class TopologyColors {
public:
    enum class By { Stage, Tensor, Context, Expert, Data, Pipeline, Memory, LinkLoad };

    struct Fill {
        QColor color;
        Pattern pattern = Pattern::Solid;
    };
    struct Entry {
        Fill fill;
        QString text;
    };

    /// Looks everything up once per report, not once per GPU and paint. A report without a placement clears.
    void update(By by, const Report* report, const Theme& theme);

    [[nodiscard]] bool empty() const { return m_fills.empty(); }
    [[nodiscard]] const std::vector<Fill>& fills() const { return m_fills; }
    /// Stage, number of the group, or step of the scale.
    [[nodiscard]] std::uint32_t number(std::int64_t rank) const {
        return m_numbers[static_cast<std::size_t>(rank)];
    }
    [[nodiscard]] std::size_t fillIndex(std::int64_t rank) const { return number(rank) % m_fills.size(); }
    [[nodiscard]] const Fill& fill(std::int64_t rank) const { return m_fills[fillIndex(rank)]; }
    /// Of the fills; what stands on the map in words.
    [[nodiscard]] const std::vector<Entry>& legend() const { return m_legend; }
    /// "stage 3", "tensor group 12", "48.0 GiB": what a GPU's colour says.
    [[nodiscard]] QString textOf(std::int64_t rank) const;
    /// "S3", "T12": the same in the GPU's own rectangle; empty where only a scale is shown.
    [[nodiscard]] QString shortTextOf(std::int64_t rank) const;

private:
    [[nodiscard]] static Fill scaleFill(double share, const Theme& theme);
    void numberByStage(const placement::Placement& placed);
    void colourByCategory(const Report& report, const Theme& theme);
    void colourByMemory(const Report& report, const Theme& theme);
    void colourByLoad(const Report& report, const Theme& theme);

    By m_by = By::Stage;
    std::vector<std::uint32_t> m_numbers;
    std::vector<Fill> m_fills;
    std::vector<QString> m_texts; // of memory and link load, by number
    std::vector<Entry> m_legend;
};

} // namespace shardlens
