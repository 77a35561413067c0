// SPDX-License-Identifier: GPL-3.0-or-later
// What the rule functions share. Not for other rooms.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "rules/rules.h"

namespace shardlens::rules {

/// Product that stops at the largest int64 instead of overflowing.
[[nodiscard]] std::int64_t product(std::initializer_list<std::int64_t> factors);

/// All divisors of n (n ≥ 1), ascending.
[[nodiscard]] std::vector<std::int64_t> divisors(std::int64_t n);

/// Divisors of n that pass, nearest to `at` first (the one below before the one above), at most `most`.
[[nodiscard]] std::vector<std::int64_t> near_divisors(std::int64_t n, std::int64_t at, std::size_t most,
                                                      const std::function<bool(std::int64_t)>& passes);

/// The multiples of `unit` (at least one unit) around `at`, the lower first.
[[nodiscard]] std::vector<std::int64_t> near_multiples(std::int64_t unit, std::int64_t at);

using Edits = std::vector<std::pair<std::string, FieldValue>>;

/// Adds a proposed repair.
void propose(Message& message, Edits edits);
void propose_each(Message& message, const std::string& path, const std::vector<std::int64_t>& values);

/// Sets template and arguments; numbers as plain digits.
template <class... Arguments>
void say(Message& message, const char* text_template, const Arguments&... arguments) {
    message.text_template = text_template;
    message.arguments = {fmt::format("{}", arguments)...};
}

/// Fills the degrees of a setup again after its plan has changed, as resolve() does (without the catalogue:
/// model and node presets stay). The split of layers only when asked for.
void derive(Setup& setup, bool with_layers);

/// Transformer layers of each pipeline rank.
[[nodiscard]] std::vector<std::int64_t> layers_per_rank(const Setup& setup);

/// Ranks per product of tensor, pipeline and context.
[[nodiscard]] inline std::int64_t model_ranks(const Setup& s) {
    return product({s.tensor, s.pipeline, s.context});
}
/// Samples in one micro-batch of all replicas.
[[nodiscard]] inline std::int64_t samples_per_micro_batch(const Setup& s) {
    return product({s.plan.training.micro_batch_size, s.data});
}
/// Is the plan meant for one of these launchers (Rule::launcher)?
[[nodiscard]] bool targets(const Setup& setup, std::string_view launchers);
/// Is the rule turned on, and broken?
[[nodiscard]] inline bool is_broken(const Rule& rule, const Setup& setup) {
    const bool acts = *rule.launcher == '\0' || (!setup.plan.target.empty() && targets(setup, rule.launcher));
    return acts && rule.broken(setup);
}
/// The model stands in the plan itself, so fixes may change it.
[[nodiscard]] inline bool owns_model(const Setup& s) {
    return std::holds_alternative<ModelShape>(s.plan.model);
}
[[nodiscard]] inline bool is_interleaved(ScheduleKind kind) {
    return kind == ScheduleKind::interleaved || kind == ScheduleKind::interleaved_ep ||
           kind == ScheduleKind::interleaved_zb;
}
/// GPUs that tensor parallelism may use without a network: the fast fabric or the node, whichever is larger.
[[nodiscard]] inline std::int64_t near_gpus(const Setup& s) {
    return std::max<std::int64_t>({1, s.cluster.node.scale_up_domain, s.cluster.node.gpus_per_node});
}
/// Micro-batches per chunk visit of an interleaved schedule: the plan's, else m / ⌊m/p⌋ where whole, else p.
[[nodiscard]] std::int64_t group_size(const Setup& setup);

// The parts of the table, one per file.
[[nodiscard]] std::span<const Rule> world_rules();    ///< degrees against the cluster and each other
[[nodiscard]] std::span<const Rule> model_rules();    ///< the shape itself and how it can be cut
[[nodiscard]] std::span<const Rule> batch_rules();    ///< batches, sequence, precision
[[nodiscard]] std::span<const Rule> schedule_rules(); ///< pipeline and its schedules
[[nodiscard]] std::span<const Rule> memory_rules();   ///< sharding, recomputation, offload
[[nodiscard]] std::span<const Rule> launcher_rules(); ///< what a launcher has no way to run at all
// What one launcher asks beyond that, one file per launcher.
[[nodiscard]] std::span<const Rule> megatron_rules();
[[nodiscard]] std::span<const Rule> deepspeed_rules();
[[nodiscard]] std::span<const Rule> torchtitan_rules();
[[nodiscard]] std::span<const Rule> accelerate_rules();
[[nodiscard]] std::span<const Rule> nanotron_rules();
[[nodiscard]] std::span<const Rule> colossalai_rules();
[[nodiscard]] std::span<const Rule> llm_foundry_rules();
[[nodiscard]] std::span<const Rule> sagemaker_rules();
[[nodiscard]] std::span<const Rule> bmtrain_rules();

} // namespace shardlens::rules
