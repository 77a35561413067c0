// SPDX-License-Identifier: GPL-3.0-or-later
// Valid plans that cover tensor, pipeline, virtual pipeline, context, expert, zero and recompute pairwise,
// over dense, MoE and MLA models and several nodes: what every exporter is tried on. Always the same plans.
#pragma once

#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plan/fields.h"
#include "plans.h"
#include "rules/rules.h"

namespace shardlens::test {

/// The values that must meet pairwise.
struct GridFactors {
    std::int64_t tensor, pipeline, chunks, context, expert, zero;
    Recompute recompute;

    [[nodiscard]] std::array<std::int64_t, 7> list() const {
        return {tensor, pipeline, chunks, context, expert, zero, static_cast<std::int64_t>(recompute)};
    }
};

inline constexpr std::array<std::int64_t, 4> kGridTensor = {1, 2, 4, 8};
inline constexpr std::array<std::int64_t, 3> kGridPipeline = {1, 2, 4};
inline constexpr std::array<std::int64_t, 3> kGridChunks = {1, 2, 4};
inline constexpr std::array<std::int64_t, 3> kGridContext = {1, 2, 4};
inline constexpr std::array<std::int64_t, 3> kGridExpert = {1, 2, 8};
inline constexpr std::array<std::int64_t, 4> kGridZero = {0, 1, 2, 3};
inline constexpr std::array<Recompute, 3> kGridRecompute = {Recompute::none, Recompute::selective,
                                                            Recompute::full};

/// Two factors with a value each: {factor, value, factor, value}.
using GridPair = std::array<std::int64_t, 4>;

inline std::set<GridPair> pairs_of(const GridFactors& factors) {
    std::set<GridPair> pairs;
    const auto values = factors.list();
    for (std::size_t a = 0; a < values.size(); ++a)
        for (std::size_t b = a + 1; b < values.size(); ++b)
            pairs.insert({static_cast<std::int64_t>(a), values[a], static_cast<std::int64_t>(b), values[b]});
    return pairs;
}

inline GridFactors factors_of(const Plan& plan) {
    const Parallel& p = plan.parallel;
    return {p.tensor, p.pipeline, p.virtual_pipeline, p.context, p.expert, p.zero, plan.memory.recompute};
}

/// Every pair that a plan can have: several chunks need several stages.
inline std::set<GridPair> possible_pairs() {
    std::set<GridPair> pairs;
    for (const auto tensor : kGridTensor)
        for (const auto pipeline : kGridPipeline)
            for (const auto chunks : kGridChunks)
                for (const auto context : kGridContext)
                    for (const auto expert : kGridExpert)
                        for (const auto zero : kGridZero)
                            for (const auto recompute : kGridRecompute)
                                if (pipeline > 1 || chunks == 1)
                                    pairs.merge(pairs_of(
                                        {tensor, pipeline, chunks, context, expert, zero, recompute}));
    return pairs;
}

/// A stream of numbers that is the same everywhere (splitmix64).
class GridDice {
public:
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
    template <class T, std::size_t N> T one_of(const std::array<T, N>& values) { return values[below(N)]; }
    /// True once in n draws on average.
    bool one_in(std::size_t n) { return below(n) == 0; }

private:
    std::uint64_t next() {
        std::uint64_t z = m_state += 0x9e3779b97f4a7c15U;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31U);
    }
    std::uint64_t m_state = 20260822;
};

inline Plan grid_candidate(GridDice& dice) {
    static const std::array<const char*, 6> kDense = {"llama3-8b",   "llama3-70b", "qwen3-14b",
                                                      "llama3.2-1b", "gpt3-13b",   "mistral-7b-v0.1"};
    static const std::array<const char*, 4> kExperts = {"mixtral-8x7b", "qwen3-30b-a3b", "deepseek-v2-lite",
                                                        "deepseek-v3"};
    static const std::array<const char*, 4> kNodes = {"dgx-h100", "dgx-b200", "gb200-nvl72", "hgx-a100-4"};
    Plan plan;
    plan.stack = "generic";
    Parallel& parallel = plan.parallel;
    parallel.tensor = dice.one_of(kGridTensor);
    parallel.pipeline = dice.one_of(kGridPipeline);
    parallel.context = dice.one_of(kGridContext);
    parallel.expert = dice.one_of(kGridExpert);
    if (parallel.pipeline > 1) parallel.virtual_pipeline = dice.one_of(kGridChunks);
    parallel.zero = dice.one_of(kGridZero);
    plan.memory.recompute = dice.one_of(kGridRecompute);
    const bool experts = parallel.expert > 1 || dice.one_in(4);
    plan.model = std::string(experts ? dice.one_of(kExperts) : dice.one_of(kDense));
    plan.cluster.node = dice.one_of(kNodes);
    const std::int64_t data = std::int64_t{1} << dice.below(4);
    parallel.data = data;
    plan.cluster.gpus = parallel.tensor * parallel.pipeline * parallel.context * data;
    parallel.sequence = parallel.tensor > 1 && !dice.one_in(3);
    if (parallel.expert > 1 && dice.one_in(4)) parallel.expert_tensor = parallel.tensor;
    if (parallel.context > 1) {
        constexpr std::array kKinds = {ContextKind::ring, ContextKind::ring, ContextKind::allgather,
                                       ContextKind::ulysses};
        parallel.context_kind = dice.one_of(kKinds);
    }
    if (parallel.zero > 0 && dice.one_in(4) && data >= 4) parallel.shard_group = data * parallel.context / 2;
    if (parallel.pipeline > 1 && dice.one_in(3)) {
        constexpr std::array kOne = {ScheduleKind::gpipe, ScheduleKind::one_f_one_b, ScheduleKind::zb_h1};
        constexpr std::array kTwo = {ScheduleKind::bfs, ScheduleKind::interleaved_zb, ScheduleKind::zb_v,
                                     ScheduleKind::dualpipe_v};
        parallel.schedule = parallel.virtual_pipeline == 1 ? dice.one_of(kOne) : dice.one_of(kTwo);
    }
    Training& training = plan.training;
    training.sequence_length = std::int64_t{1024} << dice.below(4);
    training.micro_batch_size = std::int64_t{1} << dice.below(2);
    training.global_batch_size =
        training.micro_batch_size * data * parallel.pipeline * (std::int64_t{1} << dice.below(3)) * 2;
    constexpr std::array kPrecisions = {Precision::bf16, Precision::bf16, Precision::bf16, Precision::fp8,
                                        Precision::fp32};
    training.precision = dice.one_of(kPrecisions);
    training.gradient_dtype =
        dice.one_in(4) && training.precision == Precision::bf16 ? Dtype::bf16 : Dtype::fp32;
    if (dice.one_in(8)) training.tokens = 1e11;
    MemoryOptions& memory = plan.memory;
    if (memory.recompute == Recompute::selective) memory.recompute_modules = kRecomputeCoreAttention;
    if (memory.recompute == Recompute::full && dice.one_in(4)) memory.recompute_layers = 2;
    if (dice.one_in(6)) memory.offload_optimizer = Offload::cpu;
    if (parallel.zero == 3 && dice.one_in(5))
        memory.offload_optimizer = memory.offload_parameters = Offload::cpu;
    return plan;
}

inline Setup setup_of_grid(const Plan& plan) {
    auto setup = resolve(plan, catalog());
    REQUIRE(setup.ok());
    return std::move(setup).value();
}

/// At least `wanted` plans without a broken rule (whether they fit does not matter), all possible pairs among
/// them.
inline std::vector<Plan> launcher_grid(std::size_t wanted = 240) {
    constexpr int kTries = 60000;
    std::vector<Plan> plans;
    std::set<GridPair> open = possible_pairs();
    GridDice dice;
    for (int i = 0; i < kTries && (plans.size() < wanted || !open.empty()); ++i) {
        Plan plan = grid_candidate(dice);
        bool brings = false;
        const std::set<GridPair> pairs = pairs_of(factors_of(plan));
        for (const GridPair& pair : pairs) brings |= open.contains(pair);
        // The first plans all bring something new; later ones fill up.
        if (!brings && (i < kTries / 20 || plans.size() >= wanted)) continue;
        const auto setup = resolve(plan, catalog());
        if (!setup) continue;
        bool valid = true;
        for (const Message& message : rules::check(*setup)) valid &= message.severity != Severity::error;
        if (!valid) continue;
        for (const GridPair& pair : pairs) open.erase(pair);
        plan.name = "grid " + std::to_string(plans.size());
        plans.push_back(std::move(plan));
    }
    return plans;
}

} // namespace shardlens::test
