// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/family.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "model/counts.h"

namespace shardlens::model {
namespace {

/// Two members nearer than this are one step of the slider (GPT-2 XL and GPT-3 XL; not Megatron 145.6B and
/// GPT-3 175B).
constexpr double kSameSize = 1.19;
constexpr std::int64_t kStep = 128;

double size_of(const ModelShape& shape) { return count_parameters<double>(shape).total; }

/// a · (b/a)^t: the family's growth is multiplicative.
double between(double a, double b, double t) {
    if (a <= 0 || b <= 0) return a + (b - a) * t;
    return a * std::pow(b / a, t);
}

std::int64_t rounded(double value, std::int64_t step) {
    return std::max<std::int64_t>(step, std::llround(value / static_cast<double>(step)) * step);
}

/// The divisor of `heads` nearest to `wanted` on a logarithmic scale.
std::int64_t nearest_divisor(std::int64_t heads, double wanted) {
    std::int64_t best = 1;
    for (std::int64_t divisor = 1; divisor <= heads; ++divisor)
        if (heads % divisor == 0 && std::abs(std::log(static_cast<double>(divisor) / wanted)) <
                                        std::abs(std::log(static_cast<double>(best) / wanted)))
            best = divisor;
    return best;
}

double position(double low, double high, double value) {
    return low == high ? 0.5 : std::clamp(std::log(value / low) / std::log(high / low), 0.0, 1.0);
}

/// Widths on the way from one neighbour to the other, both included, ascending: whole heads of the nearer
/// neighbour's head size, in bunches that keep the usual tensor degrees and the KV groups legal, and
/// multiples of 128.
std::vector<std::int64_t> widths(const ModelShape& low, const ModelShape& high) {
    const auto [from, to] = std::minmax(low.hidden, high.hidden);
    std::vector<std::int64_t> found = {from, to};
    for (auto width = (from / kStep + 1) * kStep; width < to; width += kStep) {
        const double t = position(static_cast<double>(low.hidden), static_cast<double>(high.hidden),
                                  static_cast<double>(width));
        const auto& near = t < 0.5 ? low : high;
        const auto head = std::max<std::int64_t>(near.head_size(), 1);
        // Families whose heads do not add up to the width (MLA, Gemma, gpt-oss) take their heads from the
        // ratio instead.
        if (near.heads * head == near.hidden) {
            const auto bunch = near.kv() < near.heads && near.kv() > 1 ? near.kv() : (width >= 4096 ? 8 : 2);
            if (width % (head * bunch) != 0) continue;
        }
        found.push_back(width);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

/// The shape at `width` with everything but the layers in place; t in [0, 1] from low to high.
ModelShape shape_at(const ModelShape& low, const ModelShape& high, std::int64_t width, double t) {
    const auto& near = t < 0.5 ? low : high;
    ModelShape shape = near;
    if (width == near.hidden) return shape;
    const auto mix = [&](std::int64_t a, std::int64_t b) {
        return between(static_cast<double>(a), static_cast<double>(b), t);
    };
    const double ratio = static_cast<double>(width) / static_cast<double>(near.hidden);
    shape.hidden = width;
    const auto head = near.head_size();
    shape.head_dim = head;
    if (near.heads * head == near.hidden)
        shape.heads = width / head;
    else
        shape.heads = rounded(static_cast<double>(near.heads) * ratio, 8);
    shape.kv_heads =
        near.kv() == near.heads ? shape.heads : nearest_divisor(shape.heads, mix(low.kv(), high.kv()));
    if (low.ffn_hidden > 0 && high.ffn_hidden > 0)
        shape.ffn_hidden =
            rounded(between(static_cast<double>(low.ffn_hidden) / static_cast<double>(low.hidden),
                            static_cast<double>(high.ffn_hidden) / static_cast<double>(high.hidden), t) *
                        static_cast<double>(width),
                    kStep);
    if (low.moe && high.moe) {
        shape.moe->experts = rounded(mix(low.moe->experts, high.moe->experts), 8);
        shape.moe->expert_ffn = rounded(mix(low.moe->expert_ffn, high.moe->expert_ffn), kStep);
        if (near.moe->shared_ffn > 0 && low.moe->shared_ffn > 0 && high.moe->shared_ffn > 0)
            shape.moe->shared_ffn = rounded(mix(low.moe->shared_ffn, high.moe->shared_ffn), kStep);
    }
    return shape;
}

struct Candidate {
    double parameters = 0;
    ModelShape shape;
};

/// Shapes between two presets, ascending by parameters. Each width owns the interval of sizes around its
/// place on the geometric path, and inside the interval the layers fill in: the list does not depend on the
/// size asked for, so the nearest entry grows with it.
std::vector<Candidate> path(const ModelShape& low, double low_size, const ModelShape& high,
                            double high_size) {
    const auto steps = widths(low, high);
    const bool growing = high.hidden >= low.hidden;
    std::vector<Candidate> found;
    const auto count = steps.size();
    for (std::size_t i = 0; i < count; ++i) {
        const auto width = growing ? steps[i] : steps[count - 1 - i];
        const auto place = [&](double w) {
            return count == 1
                       ? 0.0
                       : position(static_cast<double>(low.hidden), static_cast<double>(high.hidden), w);
        };
        const auto middle = [&](std::size_t a, std::size_t b) {
            const auto at = [&](std::size_t k) {
                return static_cast<double>(growing ? steps[k] : steps[count - 1 - k]);
            };
            return place(std::sqrt(at(a) * at(b)));
        };
        const double from = between(low_size, high_size, i == 0 ? 0.0 : middle(i - 1, i));
        const double to = between(low_size, high_size, i + 1 == count ? 1.0 : middle(i, i + 1));
        // One width alone changes over from the lower to the upper neighbour in the middle.
        const auto halves = count == 1 ? 2 : 1;
        for (int half = 0; half < halves; ++half) {
            const double begin = half == 0 ? from : std::sqrt(from * to);
            const double end = halves == 2 && half == 0 ? std::sqrt(from * to) : to;
            auto shape = shape_at(low, high, width, halves == 2 ? half : place(static_cast<double>(width)));
            const auto sized = [&shape](std::int64_t layers) {
                shape.layers = layers;
                return size_of(shape);
            };
            // Sizes grow with the layers, by the mean of two where only every second one is MoE.
            const auto base = std::max<std::int64_t>(shape.layers, 1);
            const double at_base = sized(base);
            const double slope = std::max((sized(base + 2) - at_base) / 2, 1.0);
            auto layers = std::max<std::int64_t>(
                1, base + static_cast<std::int64_t>(std::floor((begin - at_base) / slope)) - 2);
            for (;; ++layers) {
                const double size = sized(layers);
                if (size >= end || layers > 100000) break;
                if (size > begin && size > low_size && size < high_size) found.push_back({size, shape});
            }
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Candidate& a, const Candidate& b) { return a.parameters < b.parameters; });
    return found;
}

std::string name_of_size(double parameters) {
    if (parameters >= 1e12) return fmt::format("{:.3g}T", parameters / 1e12);
    if (parameters >= 1e9) return fmt::format("{:.3g}B", parameters / 1e9);
    return fmt::format("{:.0f}M", parameters / 1e6);
}

} // namespace

std::vector<FamilyMember> family_of(const Catalog& catalog, const std::string& model_id) {
    const auto asked = catalog.model(model_id);
    if (!asked || (*asked)->family.empty()) return {};
    std::vector<FamilyMember> all;
    for (const auto& id : catalog.ids(PresetKind::model)) {
        const auto preset = catalog.model(id);
        if (preset && (*preset)->family == (*asked)->family) all.push_back({id, size_of((*preset)->shape)});
    }
    std::stable_sort(all.begin(), all.end(), [](const FamilyMember& a, const FamilyMember& b) {
        return a.parameters < b.parameters;
    });
    const double own = size_of((*asked)->shape);
    std::vector<FamilyMember> members;
    for (const auto& member : all) {
        const bool is_asked = member.id == model_id;
        const double distance = std::max(member.parameters / own, own / member.parameters);
        if (!is_asked && distance < kSameSize) continue;
        if (!is_asked && !members.empty() && member.parameters < members.back().parameters * kSameSize)
            continue;
        members.push_back(member);
    }
    return members;
}

ModelShape scaled(const Catalog& catalog, const std::vector<FamilyMember>& family, double parameters) {
    const auto preset = [&catalog](const FamilyMember& member) {
        const auto found = catalog.model(member.id);
        return found ? (*found)->shape : ModelShape{};
    };
    if (family.empty()) return {};
    if (!(parameters > family.front().parameters)) return preset(family.front());
    if (parameters >= family.back().parameters) return preset(family.back());
    const auto above =
        std::upper_bound(family.begin(), family.end(), parameters,
                         [](double value, const FamilyMember& member) { return value < member.parameters; });
    const auto& high = *above;
    const auto& low = *std::prev(above);
    const auto low_shape = preset(low);
    const auto high_shape = preset(high);
    const auto candidates = path(low_shape, low.parameters, high_shape, high.parameters);
    auto best = low_shape;
    double distance = parameters - low.parameters;
    double size = low.parameters;
    for (const auto& candidate : candidates)
        if (std::abs(candidate.parameters - parameters) < distance) {
            distance = std::abs(candidate.parameters - parameters);
            best = candidate.shape;
            size = candidate.parameters;
        }
    if (high.parameters - parameters < distance) return high_shape;
    if (size != low.parameters)
        best.name = low_shape.name.substr(0, low_shape.name.find_last_of(' ')) + " " + name_of_size(size);
    return best;
}

} // namespace shardlens::model
