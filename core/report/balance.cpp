// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/balance.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "report/build.h"
#include "rules/rules.h"

namespace shardlens {

namespace {

using Split = std::vector<std::int64_t>;

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kMostSteps = 4e8; ///< of the exact search; beyond it layers are moved one at a time

/// Time of a micro-batch on every rank as a function of the split: what a chunk has whatever its layers are
/// (embedding, head, transfers, host), and its layers.
class RankTimes {
public:
    RankTimes(const Setup& setup, const placement::Placement* placement) : m_setup(setup) {
        m_layers = cost::layer_seconds(setup, placement);
        const auto costs = cost::step_costs<double>(setup, placement);
        const auto kinds = model::count_kinds(setup);
        m_ends.resize(kinds.size());
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            const auto& time = costs.chunks[i];
            m_ends[i] = time.forward.total() + time.backward.total() + time.recompute.total() - sum(kinds[i]);
        }
    }

    [[nodiscard]] std::vector<double> chunks(const Split& split) {
        m_setup.layers_per_chunk = split;
        const auto kinds = model::count_kinds(m_setup);
        std::vector<double> seconds(split.size());
        for (std::size_t i = 0; i < split.size(); ++i) seconds[i] = m_ends[i] + sum(kinds[i]);
        return seconds;
    }
    [[nodiscard]] std::vector<double> ranks(const Split& split) {
        const auto p = static_cast<std::size_t>(m_setup.pipeline);
        const std::vector<double> each = chunks(split);
        std::vector<double> seconds(p, 0);
        for (std::size_t i = 0; i < each.size(); ++i)
            seconds[static_cast<std::size_t>(m_setup.rank_of_chunk(static_cast<std::int64_t>(i)))] += each[i];
        if (m_setup.schedule == ScheduleKind::dualpipe || m_setup.schedule == ScheduleKind::chimera)
            for (std::size_t r = 0; 2 * r < p; ++r) // a rank runs its stage and the mirrored one in turn
                seconds[r] = seconds[p - 1 - r] = (seconds[r] + seconds[p - 1 - r]) / 2;
        return seconds;
    }
    /// Seconds of layer `index`, recomputed or not.
    [[nodiscard]] double layer(std::int64_t index, bool recomputed) const {
        const std::size_t moe = m_setup.is_moe_layer(index) ? 1 : 0;
        const std::size_t windowed = m_setup.is_global_attention(index) ? 0 : 2;
        return m_layers[moe + windowed + (recomputed ? 4u : 0u)];
    }
    [[nodiscard]] double ends(std::size_t chunk) const { return m_ends[chunk]; }

private:
    [[nodiscard]] double sum(const model::KindCounts& kinds) const {
        double seconds = 0;
        for (std::size_t k = 0; k < kinds.size(); ++k) seconds += static_cast<double>(kinds[k]) * m_layers[k];
        return seconds;
    }

    Setup m_setup; ///< with the split asked for last
    std::array<double, model::kBodyKinds> m_layers{};
    std::vector<double> m_ends;
};

/// The slowest rank first, then how uneven the ranks are.
struct Rating {
    double slowest = kNever, squares = kNever;

    explicit Rating(const std::vector<double>& ranks) : slowest(0), squares(0) {
        for (const double seconds : ranks) {
            slowest = std::max(slowest, seconds);
            squares += seconds * seconds;
        }
    }
    [[nodiscard]] bool better_than(const Rating& other) const {
        constexpr double kSame = 1 - 1e-9;
        if (slowest < other.slowest * kSame) return true;
        return slowest * kSame <= other.slowest && squares < other.squares * kSame;
    }
};

class Search {
public:
    Search(const Setup& setup, const placement::Placement* placement)
        : m_setup(setup), m_times(setup, placement),
          m_caps(static_cast<std::size_t>(setup.pipeline), setup.shape.layers),
          m_least(std::ranges::count(setup.layers_per_chunk, 0) > 0 ? 0 : 1) {}

    [[nodiscard]] RankTimes& times() { return m_times; }

    /// The best split that fits; empty when none was found.
    [[nodiscard]] Split best() {
        // Memory of a rank grows with its layers, so a count that is too large rules out all larger ones.
        while (true) {
            Split split = best_under_caps();
            if (split.empty()) return {};
            const std::vector<std::int64_t> full = overfull(split);
            if (full.empty()) return split;
            for (const std::int64_t rank : full) {
                std::int64_t& cap = m_caps[static_cast<std::size_t>(rank)];
                cap = std::min(cap, layers_of(split, rank)) - 1;
                if (cap < 0) return {};
            }
        }
    }

private:
    [[nodiscard]] std::size_t rank_of(std::size_t chunk) const {
        return static_cast<std::size_t>(m_setup.rank_of_chunk(static_cast<std::int64_t>(chunk)));
    }
    [[nodiscard]] std::int64_t layers_of(const Split& split, std::int64_t rank) const {
        std::int64_t layers = 0;
        for (std::size_t i = 0; i < split.size(); ++i)
            if (rank_of(i) == static_cast<std::size_t>(rank)) layers += split[i];
        return layers;
    }
    /// Ranks that need more than is usable; of a mirrored pair (two copies of the model) both.
    [[nodiscard]] std::vector<std::int64_t> overfull(const Split& split) const {
        Setup setup = m_setup;
        setup.layers_per_chunk = split;
        const MemoryReport<double> memory = memory_report<double>(setup);
        std::vector<std::int64_t> full;
        for (const auto& stage : memory.stages)
            if (stage.total_bytes - stage.fragmentation_bytes > memory.usable_bytes)
                full.push_back(stage.stage);
        return full;
    }

    [[nodiscard]] Split best_under_caps() {
        const auto chunks = m_setup.layers_per_chunk.size();
        const double layers = static_cast<double>(m_setup.shape.layers);
        const bool small = static_cast<double>(chunks) * layers * layers <= kMostSteps;
        Split split = small ? by_chunk() : m_setup.layers_per_chunk;
        if (split.empty()) return {};
        if (m_setup.virtual_pipeline > 1 || !small || mirrored()) improve(split);
        for (std::int64_t r = 0; r < m_setup.pipeline; ++r)
            if (layers_of(split, r) > m_caps[static_cast<std::size_t>(r)]) return {};
        return split;
    }
    [[nodiscard]] bool mirrored() const {
        return m_setup.schedule == ScheduleKind::dualpipe || m_setup.schedule == ScheduleKind::chimera;
    }

    /// Contiguous pieces, one per chunk: first the smallest possible largest piece, then, within it, the
    /// smallest sum of squares. Exact when every rank has one chunk.
    [[nodiscard]] Split by_chunk() const {
        const auto chunks = m_setup.layers_per_chunk.size();
        const auto layers = static_cast<std::size_t>(m_setup.shape.layers);
        const auto v = m_setup.virtual_pipeline;
        const std::int64_t limit = m_setup.plan.memory.recompute_layers;
        // Of a rank's first `limit` layers each of its chunks gets its part.
        const auto recomputed =
            static_cast<std::size_t>(limit == 0 ? m_setup.shape.layers : (limit + v - 1) / v);
        std::vector<double> plain(layers + 1, 0), remade(layers + 1, 0);
        for (std::size_t l = 0; l < layers; ++l) {
            plain[l + 1] = plain[l] + m_times.layer(static_cast<std::int64_t>(l), false);
            remade[l + 1] = remade[l] + m_times.layer(static_cast<std::int64_t>(l), true);
        }
        const auto piece = [&](std::size_t chunk, std::size_t from, std::size_t to) {
            const std::size_t border = std::min(to, from + recomputed);
            return m_times.ends(chunk) + remade[border] - remade[from] + plain[to] - plain[border];
        };
        const auto widest = [&](std::size_t chunk) {
            return static_cast<std::size_t>((m_caps[rank_of(chunk)] + v - 1) / v);
        };
        double bound = kNever;
        Split split;
        for (const bool squares : {false, true}) {
            // cost[l]: of the first chunks with l layers; from[chunk][l]: where the last of them begins.
            std::vector<double> cost(layers + 1, kNever);
            std::vector<std::vector<std::uint32_t>> from(chunks, std::vector<std::uint32_t>(layers + 1, 0));
            cost[0] = 0;
            for (std::size_t c = 0; c < chunks; ++c) {
                std::vector<double> next(layers + 1, kNever);
                for (std::size_t to = static_cast<std::size_t>(m_least); to <= layers; ++to) {
                    const std::size_t most = std::min(to, widest(c));
                    for (std::size_t width = static_cast<std::size_t>(m_least); width <= most; ++width) {
                        const std::size_t begin = to - width;
                        if (cost[begin] == kNever) continue;
                        const double seconds = piece(c, begin, to);
                        if (squares && seconds > bound) break;
                        const double all =
                            squares ? cost[begin] + seconds * seconds : std::max(cost[begin], seconds);
                        if (all < next[to]) {
                            next[to] = all;
                            from[c][to] = static_cast<std::uint32_t>(begin);
                        }
                    }
                }
                cost = std::move(next);
            }
            if (cost[layers] == kNever) return {};
            bound = cost[layers] * (1 + 1e-12);
            split.assign(chunks, 0);
            for (std::size_t c = chunks, to = layers; c-- > 0; to = from[c][to])
                split[c] = static_cast<std::int64_t>(to - from[c][to]);
        }
        return split;
    }

    /// Moves single layers between chunks as long as that makes the slowest rank faster, or the ranks more
    /// alike.
    void improve(Split& split) {
        constexpr int kMostRounds = 200;
        constexpr std::size_t kFew = 64; ///< chunks among which any may give a layer
        Rating now(m_times.ranks(split));
        for (int round = 0; round < kMostRounds; ++round) {
            const std::vector<double> ranks = m_times.ranks(split);
            const double slowest = *std::ranges::max_element(ranks);
            Split best = split;
            for (std::size_t a = 0; a < split.size(); ++a) {
                if (split[a] <= m_least) continue;
                // Only a layer of the slowest can help it; the others even out what is left.
                if (split.size() > kFew && ranks[rank_of(a)] < slowest * (1 - 1e-12)) continue;
                for (std::size_t b = 0; b < split.size(); ++b) {
                    const std::size_t to = rank_of(b);
                    if (a == b || ranks[to] >= slowest * (1 - 1e-12) || ranks[to] > ranks[rank_of(a)])
                        continue;
                    if (to != rank_of(a) && layers_of(split, static_cast<std::int64_t>(to)) >= m_caps[to])
                        continue;
                    Split moved = split;
                    --moved[a];
                    ++moved[b];
                    const Rating rating(m_times.ranks(moved));
                    if (!rating.better_than(now)) continue;
                    now = rating;
                    best = std::move(moved);
                }
            }
            if (best == split) return;
            split = std::move(best);
        }
    }

    const Setup& m_setup;
    RankTimes m_times;
    std::vector<std::int64_t> m_caps; ///< most layers of a rank that may still fit
    std::int64_t m_least;             ///< layers of a chunk
};

SplitFigures figures(const Setup& setup, RankTimes& times) {
    SplitFigures out;
    const Report report =
        build_report<double>(std::make_shared<const Setup>(setup), {.timeline = false, .traffic = false});
    const std::vector<double> ranks = times.ranks(setup.layers_per_chunk);
    const auto slowest = std::ranges::max_element(ranks);
    out.layers = setup.layers_per_chunk;
    out.slowest_stage_s = *slowest;
    out.slowest_stage = slowest - ranks.begin();
    out.step_s = report.time.step_s;
    out.bubble_fraction = report.time.bubble_fraction;
    out.peak_bytes = report.memory.peak_bytes;
    out.fits = judge(setup, report.memory) == Verdict::fits;
    return out;
}

} // namespace

Result<Balance> balance(const Plan& plan, const Catalog& catalog) {
    auto resolved = resolve(plan, catalog);
    if (!resolved) return resolved.error();
    const Setup& setup = *resolved;
    if (setup.plan.fidelity == Fidelity::textbook)
        return Error{"fidelity", "a textbook plan has no stages to balance; use \"detailed\""};
    if (setup.pipeline < 2)
        return Error{"parallel.pipeline", "there is one stage; balancing needs at least 2"};
    std::optional<placement::Placement> placed;
    if (auto made = placement::Placement::make(setup); made) placed = std::move(made).value();

    Search search(setup, placed ? &*placed : nullptr);
    Balance result;
    result.plan = plan;
    result.before = result.after = figures(setup, search.times());
    if (!(result.before.step_s > 0))
        return Error{"parallel.schedule", "the step of this plan cannot be timed; `validate` says why"};
    const Split split = search.best();
    if (split.empty() || split == setup.layers_per_chunk) return result;

    Plan changed = plan;
    changed.parallel.layers_per_stage = split;
    const auto other = resolve(changed, catalog);
    if (!other) return other.error();
    const SplitFigures after = figures(*other, search.times());
    // A split as slow as the given one only moves memory about; and the slowest stage is not all of a step.
    const bool faster = after.slowest_stage_s < result.before.slowest_stage_s * (1 - 1e-9) &&
                        after.step_s < result.before.step_s;
    const bool gains = after.fits != result.before.fits ? after.fits : faster;
    if (!gains) return result;
    const auto known = rules::check(setup);
    for (Message& message : rules::check(*other))
        if (message.severity == Severity::error &&
            std::ranges::none_of(known, [&](const Message& old) { return old.code == message.code; }))
            result.messages.push_back(std::move(message));
    result.after = after;
    result.changed = true;
    result.plan = std::move(changed);
    return result;
}

} // namespace shardlens
