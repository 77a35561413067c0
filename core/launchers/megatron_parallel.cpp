// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <fmt/format.h>

#include "launchers/common.h"
#include "launchers/megatron_flags.h"
#include "plan/fields.h"

namespace shardlens::launchers {

namespace {

using Layers = std::vector<std::int64_t>;

bool all_equal(const Layers& layers, std::size_t first, std::size_t last) {
    return std::all_of(layers.begin() + static_cast<std::ptrdiff_t>(first),
                       layers.begin() + static_cast<std::ptrdiff_t>(last),
                       [&](std::int64_t n) { return n == layers[first]; });
}

/// The split in the words that the release has; refuses one that it has no words for.
void add_split(const Setup& setup, MegatronArguments& out) {
    const Layers& layers = setup.layers_per_chunk;
    const std::size_t chunks = layers.size();
    const auto virtual_flag = [&] {
        if (setup.virtual_pipeline > 1)
            out.flag("--num-virtual-stages-per-pipeline-rank", setup.virtual_pipeline);
    };
    if (chunks < 2 || all_equal(layers, 0, chunks)) return virtual_flag();
    const std::int64_t inner = chunks > 2 ? layers[1] : std::max(layers[0], layers[1]) + 1;
    const bool middle_equal = chunks <= 2 || all_equal(layers, 1, chunks - 1);
    const bool first_less = layers.front() == inner - 1, last_less = layers.back() == inner - 1;
    const bool ends_fit = (first_less || layers.front() == inner) && (last_less || layers.back() == inner);
    if (chunks > 2 && middle_equal && ends_fit) {
        if (first_less) out.flag("--account-for-embedding-in-pipeline-split");
        if (last_less) out.flag("--account-for-loss-in-pipeline-split");
        return virtual_flag();
    }
    if (out.release >= 16) {
        out.flag("--pipeline-model-parallel-layout", pipeline_layout(layers, setup.shape.mtp_layers));
        return;
    }
    if (setup.virtual_pipeline == 1 && middle_equal && layers.front() > 0 && layers.back() > 0) {
        if (layers.front() != inner || chunks == 2)
            out.flag("--decoder-first-pipeline-num-layers", layers.front());
        if (chunks > 2 && layers.back() != inner)
            out.flag("--decoder-last-pipeline-num-layers", layers.back());
        return;
    }
    out.refusals.push_back(
        refusal("megatron-split", "parallel.layers_per_stage",
                "release 0.12 can only make the first and the last stage differ from the others", {},
                {{{{"target", std::string("megatron-lm@0.19")}}}}));
}

void add_pipeline(const Setup& setup, MegatronArguments& out) {
    if (setup.pipeline == 1) return;
    add_split(setup, out);
    const bool interleaved = setup.virtual_pipeline > 1;
    const ScheduleKind runs = interleaved ? ScheduleKind::interleaved : ScheduleKind::one_f_one_b;
    const bool overlapped_experts = setup.schedule == ScheduleKind::interleaved_ep && interleaved;
    if (setup.schedule != runs && !overlapped_experts) {
        out.differs("parallel.schedule", fmt::format("Megatron-LM runs {} instead of {}", to_string(runs),
                                                     to_string(setup.schedule)));
    }
    if (!interleaved) return;
    const std::int64_t group = setup.plan.parallel.virtual_pipeline_group;
    if (group > 0) out.flag("--microbatch-group-size-per-virtual-pipeline-stage", group);
    // Raised at the first step by megatron/core/pipeline_parallel/schedules.py, not by the parser.
    const std::int64_t g = group > 0 ? group : setup.pipeline, m = setup.micro_batches, p = setup.pipeline;
    if (g < p || g > m || (m % g != 0 && m % g < p)) {
        const std::int64_t micro_batches = std::max<std::int64_t>((m + p - 1) / p, 1) * p;
        const std::int64_t batch = micro_batches * setup.plan.training.micro_batch_size * setup.data;
        Fix fix{{{"training.global_batch_size", batch}}};
        if (group > 0) fix.set.emplace_back("parallel.virtual_pipeline_group", std::int64_t{0});
        out.refusals.push_back(
            refusal("megatron-interleaved-group", "training.global_batch_size",
                    "{0} micro-batches in groups of {1} do not make an interleaved step over {2} "
                    "stages: whole groups are needed, or a rest of at least {2}",
                    {std::to_string(m), std::to_string(g), std::to_string(p)}, {fix}));
    }
    if (setup.overlap.pipeline == false && setup.pipeline > 2) out.flag("--no-overlap-p2p-communication");
}

/// Muon of 0.16 shards by itself (dist_muon) and takes neither the distributed optimizer nor overlap.
bool is_first_muon(const Setup& setup, const MegatronArguments& out) {
    return out.release == 16 && setup.plan.training.optimizer == Optimizer::muon;
}

void add_sharding(const Setup& setup, MegatronArguments& out) {
    const std::int64_t replicas = setup.data * setup.context;
    const bool hybrid = setup.zero > 0 && setup.plan.parallel.shard_group > 0 && setup.shard < replicas;
    if (setup.zero == 1 && !is_first_muon(setup, out)) out.flag("--use-distributed-optimizer");
    if (setup.zero >= 2) {
        const Optimizer optimizer = setup.plan.training.optimizer;
        if (optimizer != Optimizer::adamw && optimizer != Optimizer::sgd) {
            out.refusals.push_back(refusal(
                "megatron-fsdp-optimizer", "parallel.zero",
                "ZeRO {0} runs on Megatron's FSDP, which trains with adamw or sgd only",
                {std::to_string(setup.zero)},
                {{{{"parallel.zero", std::int64_t{1}}}}, {{{"training.optimizer", std::string("adamw")}}}}));
        }
        out.flag(out.release >= 16 ? "--use-megatron-fsdp" : "--use-custom-fsdp");
        if (out.release < 19) out.flag("--use-distributed-optimizer");
        out.flag("--data-parallel-sharding-strategy", setup.zero == 2 ? "optim_grads" : "optim_grads_params");
        if (out.release >= 16) out.flag("--ckpt-format", "fsdp_dtensor");
        out.flag("--no-gradient-accumulation-fusion");
    }
    if (!hybrid) return;
    if (setup.zero >= 2 && out.release < 16) {
        out.refusals.push_back(
            refusal("megatron-hybrid", "parallel.shard_group",
                    "release 0.12 cannot shard gradients or parameters over a part of the ranks", {},
                    {{{{"parallel.shard_group", std::int64_t{0}}}}, {{{"parallel.zero", std::int64_t{1}}}}}));
        return;
    }
    out.flag("--num-distributed-optimizer-instances", replicas / setup.shard);
    if (setup.zero >= 2) out.flag("--outer-dp-sharding-strategy", "no_shard");
}

void add_overlap(const Setup& setup, MegatronArguments& out) {
    const auto on = [](const std::optional<bool>& value) { return value.value_or(false); };
    if (is_first_muon(setup, out)) {
        if (on(setup.overlap.grad_reduce) || on(setup.overlap.param_gather)) {
            out.differs("overlap.grad_reduce",
                        "gradients are reduced after the backward: muon of 0.16 cannot overlap it");
        }
    } else if (on(setup.overlap.grad_reduce)) {
        out.flag("--overlap-grad-reduce");
        if (on(setup.overlap.param_gather) && setup.zero > 0) out.flag("--overlap-param-gather");
    } else if (on(setup.overlap.param_gather) && setup.zero > 0) {
        out.differs("overlap.param_gather",
                    "parameters are gathered before the forward: it needs overlap.grad_reduce");
    }
    if (on(setup.overlap.tensor) && setup.tensor > 1) {
        if (setup.sequence)
            out.flag("--tp-comm-overlap");
        else
            out.differs("overlap.tensor",
                        "tensor-parallel communication is not hidden: it needs parallel.sequence");
    }
    if (!on(setup.overlap.expert) && setup.schedule != ScheduleKind::interleaved_ep) return;
    if (!setup.moe() || setup.expert == 1) return;
    const Precision precision = setup.plan.training.precision;
    const bool possible = out.release >= 16 && setup.plan.memory.recompute != Recompute::full &&
                          precision != Precision::fp32 && (setup.pipeline == 1 || setup.virtual_pipeline > 1);
    if (possible) {
        out.flag("--overlap-moe-expert-parallel-comm");
    } else {
        out.differs("overlap.expert",
                    "the experts' all-to-all is not hidden: it needs release 0.16, 16-bit training, no full "
                    "recomputation, and interleaving with a pipeline");
    }
}

void add_rank_order(const Setup& setup, MegatronArguments& out) {
    if (same_placement(setup, "tp-cp-ep-dp-pp")) return;
    // validate: the alternative with a pipeline needs dp = edp, that is tp · cp = etp · ep.
    const std::int64_t expert_ranks = setup.moe() ? setup.expert_tensor * setup.expert : setup.tensor;
    const bool allowed = setup.pipeline == 1 || setup.tensor * setup.context == expert_ranks;
    if (allowed && same_placement(setup, "tp-cp-ep-pp-dp")) {
        out.flag("--use-tp-pp-dp-mapping");
    } else {
        out.differs("parallel.rank_order", "ranks land in Megatron's order tp-cp-ep-dp-pp");
    }
}

} // namespace

std::string pipeline_layout(const std::vector<std::int64_t>& layers_per_chunk, std::int64_t mtp_layers) {
    std::string text;
    const auto run = [](char letter, std::int64_t count) {
        if (count == 0) return std::string();
        return count == 1 ? std::string(1, letter) : fmt::format("{}*{}", letter, count);
    };
    for (std::size_t i = 0; i < layers_per_chunk.size(); ++i) {
        text += i == 0 ? "E" : "|";
        text += run('t', layers_per_chunk[i]);
    }
    return text + run('m', mtp_layers) + "L";
}

void add_megatron_parallel(const Setup& setup, MegatronArguments& out) {
    out.flag("--tensor-model-parallel-size", setup.tensor);
    out.flag("--pipeline-model-parallel-size", setup.pipeline);
    out.flag("--context-parallel-size", setup.context);
    if (setup.context > 1) {
        const ContextKind kind = setup.context_kind;
        out.flag("--cp-comm-type", kind == ContextKind::ring      ? "p2p"
                                   : kind == ContextKind::ulysses ? "a2a"
                                                                  : "allgather");
        const std::int64_t multiple = 2 * setup.context, sequence = setup.plan.training.sequence_length;
        if (sequence % multiple != 0) {
            out.refusals.push_back(
                refusal("megatron-sequence-context", "training.sequence_length",
                        "a sequence of {0} tokens is not a multiple of 2 * context = {1}",
                        {std::to_string(sequence), std::to_string(multiple)},
                        {{{{"training.sequence_length", (sequence / multiple + 1) * multiple}}}}));
        }
    }
    if (setup.moe()) {
        out.flag("--expert-model-parallel-size", setup.expert);
        out.flag("--expert-tensor-parallel-size", setup.expert_tensor);
        const Biases& biases = setup.shape.biases;
        if (biases.qkv && biases.attn_out && biases.mlp && setup.expert_tensor > 1) {
            out.refusals.push_back(refusal("megatron-expert-bias", "parallel.expert_tensor",
                                           "experts with biases cannot be split over {0} tensor ranks",
                                           {std::to_string(setup.expert_tensor)},
                                           {{{{"parallel.expert_tensor", std::int64_t{1}}}}}));
        }
    }
    if (setup.sequence) out.flag("--sequence-parallel");
    add_pipeline(setup, out);
    add_sharding(setup, out);
    add_overlap(setup, out);
    add_rank_order(setup, out);
    // validate_args wants 1 with tensor or context parallelism, so that communication is issued first, and
    // another value with FSDP.
    out.environment.emplace_back("CUDA_DEVICE_MAX_CONNECTIONS", setup.zero >= 2 ? "8" : "1");
}

} // namespace shardlens::launchers
