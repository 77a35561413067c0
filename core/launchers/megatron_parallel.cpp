// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <fmt/format.h>

#include "launchers/common.h"
#include "launchers/megatron_flags.h"
#include "plan/fields.h"
#include "rules/launcher_schedule.h"
#include "rules/megatron_split.h"

namespace shardlens::launchers {

namespace {

/// The split in the words that the release has; a rule of the target has refused what it has no words for.
void add_split(const Setup& setup, MegatronArguments& out) {
    const std::vector<std::int64_t>& layers = setup.layers_per_chunk;
    const auto virtual_flag = [&] {
        if (setup.virtual_pipeline > 1)
            out.flag("--num-virtual-stages-per-pipeline-rank", setup.virtual_pipeline);
    };
    switch (rules::split_words(setup, out.release >= 16)) {
    case rules::SplitWords::even: return virtual_flag();
    case rules::SplitWords::ends:
        if (layers.front() < layers[1]) out.flag("--account-for-embedding-in-pipeline-split");
        if (layers.back() < layers[1]) out.flag("--account-for-loss-in-pipeline-split");
        return virtual_flag();
    case rules::SplitWords::layout:
        return out.flag("--pipeline-model-parallel-layout", pipeline_layout(layers, setup.shape.mtp_layers));
    case rules::SplitWords::first_last:
        if (layers.size() == 2 || layers.front() != layers[1])
            out.flag("--decoder-first-pipeline-num-layers", layers.front());
        if (layers.size() > 2 && layers.back() != layers[1])
            out.flag("--decoder-last-pipeline-num-layers", layers.back());
        return;
    case rules::SplitWords::none: return;
    }
}

/// MindSpeed halves the layers of every rank by itself.
bool runs_dualpipe(const Setup& setup, const MegatronArguments& out) {
    return out.mindspeed && setup.schedule == ScheduleKind::dualpipe_v && setup.pipeline > 1;
}

void add_pipeline(const Setup& setup, MegatronArguments& out) {
    if (setup.pipeline == 1) return;
    if (runs_dualpipe(setup, out)) return out.flag("--schedules-method", "dualpipev");
    add_split(setup, out);
    if (const auto instead = rules::schedule_instead(setup, out.mindspeed ? "mindspeed" : "megatron-lm"))
        out.differs("parallel.schedule", fmt::format("Megatron-LM runs {} instead of {}", to_string(*instead),
                                                     to_string(setup.schedule)));
    if (setup.virtual_pipeline == 1) return;
    const std::int64_t group = setup.plan.parallel.virtual_pipeline_group;
    if (group > 0) out.flag("--microbatch-group-size-per-virtual-pipeline-stage", group);
    if (setup.overlap.pipeline.value_or(true)) return;
    if (setup.pipeline > 2)
        out.flag("--no-overlap-p2p-communication");
    else
        out.differs("overlap.pipeline", "hidden behind computation: with two stages it cannot be turned off");
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
        out.flag(out.release >= 16 ? "--use-megatron-fsdp" : "--use-custom-fsdp");
        if (out.release < 19) out.flag("--use-distributed-optimizer");
        out.flag("--data-parallel-sharding-strategy", setup.zero == 2 ? "optim_grads" : "optim_grads_params");
        if (out.release >= 16) out.flag("--ckpt-format", "fsdp_dtensor");
        out.flag("--no-gradient-accumulation-fusion");
    }
    if (!hybrid) return;
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
    } else if (on(setup.overlap.grad_reduce) && runs_dualpipe(setup, out)) {
        out.differs("overlap.grad_reduce",
                    "gradients are reduced after the backward: dualpipev excludes overlap");
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
        const bool ring = kind == ContextKind::ring, ulysses = kind == ContextKind::ulysses;
        if (out.mindspeed)
            out.flag("--context-parallel-algo", ring      ? "megatron_cp_algo"
                                                : ulysses ? "ulysses_cp_algo"
                                                          : "kvallgather_cp_algo");
        else
            out.flag("--cp-comm-type", ring ? "p2p" : ulysses ? "a2a" : "all_gather");
    }
    if (setup.moe()) {
        out.flag("--expert-model-parallel-size", setup.expert);
        out.flag("--expert-tensor-parallel-size", setup.expert_tensor);
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
