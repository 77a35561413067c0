// SPDX-License-Identifier: GPL-3.0-or-later
// A plan with everything it leaves out filled in and every preset looked up: what all formulas read.
#pragma once

#include "catalog/catalog.h"

namespace shardlens {

/// The cluster after the plan's overrides. `cluster.power_w` is one accelerator with its share of the node,
/// in W. Another accelerator brings its own links and power, and the node's price no longer holds (0 =
/// unknown).
struct Cluster {
    Node node;               ///< with overrides applied
    Accelerator accelerator; ///< with overrides applied
    std::int64_t gpus = 0;
    double capacity_bytes = 0;      ///< of one accelerator, by the contract's rule for the plan's fidelity
    bool capacity_is_label = false; ///< no measured capacity known: the decimal label was taken

    [[nodiscard]] std::int64_t nodes() const { return (gpus + node.gpus_per_node - 1) / node.gpus_per_node; }
};

struct Setup {
    Plan plan; ///< as given
    ModelShape shape;
    std::string model_id; ///< "" for a shape given in the plan
    std::string model_source;
    Cluster cluster;
    StackProfile stack;
    /// The stack as it was at the oldest release it knows, when the plan names none that it knows; else null.
    std::shared_ptr<const StackProfile> oldest_release;
    Architecture architecture;

    // Degrees, all at least 1. `pipeline` and `virtual_pipeline` are cut so that p · v <= kMaxChunks (more
    // chunks than any model has layers); the plan keeps what was written.
    std::int64_t tensor = 1, pipeline = 1, virtual_pipeline = 1, context = 1, expert = 1, expert_tensor = 1;
    std::int64_t data = 1;        ///< plan's, or gpus / (tensor · pipeline · context)
    std::int64_t expert_data = 1; ///< edp = gpus / (expert_tensor · expert · pipeline)
    bool sequence = false;        ///< sequence parallelism as it acts: only with tensor > 1
    std::int64_t zero = 0;
    std::int64_t shard =
        1; ///< ranks that state is sharded over (data · context, or shard_group) when zero > 0
    std::int64_t expert_shard = 1;  ///< the same for expert states
    std::int64_t micro_batches = 1; ///< per replica and step, rounded up
    ScheduleKind schedule = ScheduleKind::one_f_one_b;
    ContextKind context_kind = ContextKind::ring;
    Dtype gradient_dtype = Dtype::fp32;
    Dtype optimizer_dtype = Dtype::fp32;
    std::uint32_t recompute_modules = 0; ///< with selective: the plan's or the stack's usual
    OverlapOptions overlap;              ///< every member set

    /// Layers of every chunk in model order, p · v entries that add up to the model's layers (chunk i·p + r
    /// sits on rank r for looped schedules).
    std::vector<std::int64_t> layers_per_chunk;

    [[nodiscard]] std::int64_t world() const { return cluster.gpus; }
    /// Pipeline rank that holds chunk `chunk` (model order): round and round, there and back for the V-shaped
    /// schedules, v consecutive chunks as one stage for the bidirectional ones.
    [[nodiscard]] std::int64_t rank_of_chunk(std::int64_t chunk) const;
    [[nodiscard]] bool moe() const { return shape.moe.has_value() && shape.moe->experts > 0; }
    /// Is transformer layer `index` (0-based) a mixture-of-experts layer?
    [[nodiscard]] bool is_moe_layer(std::int64_t index) const;
    /// Does layer `index` attend over the whole sequence (false: inside the window)?
    [[nodiscard]] bool is_global_attention(std::int64_t index) const;
};

/// Most chunks (p · v) that a Setup lists. Layers are at most 100,000, so a longer list holds only empty
/// chunks.
inline constexpr std::int64_t kMaxChunks = std::int64_t{1} << 18;

/// Looks presets up and fills in what the plan leaves out. Errors only for unknown preset ids (exit code 2 on
/// the command line); a plan that breaks rules still resolves, with every degree at least 1 and the list of
/// chunks of the right length, so that what can be computed is computed.
[[nodiscard]] Result<Setup> resolve(const Plan& plan, const Catalog& catalog);

/// The parts of resolve() that need no catalogue, for trying edits of a plan: degrees, schedule and batch,
/// and the split of layers, from setup.plan, shape, cluster and stack.
void derive_degrees(Setup& setup);
void derive_layers(Setup& setup);

/// The split of `layers` over `chunks` = p·v chunks by the stack's own rule (contract.md, layers_per_stage):
/// equal where it divides; else embedding, head and MTP counted as a layer each where the stack does so and
/// that divides; else as even as possible, extra layers first.
[[nodiscard]] std::vector<std::int64_t> split_layers(std::int64_t layers, std::int64_t chunks,
                                                     bool count_ends, std::int64_t mtp_layers);

/// The split by cumulative cost (nanotron, get_block_compute_costs and build of the pipeline blocks): a layer
/// costs `layer_cost`, the head behind the last layer `head_cost`, and a chunk is closed by the layer that
/// reaches its share of the total. The last chunks may stay empty.
[[nodiscard]] std::vector<std::int64_t> split_layers_by_cost(std::int64_t layers, std::int64_t chunks,
                                                             double layer_cost, double head_cost);

} // namespace shardlens
