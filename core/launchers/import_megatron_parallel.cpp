// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <fmt/format.h>

#include "launchers/megatron_import.h"
#include "plan/fields.h"

namespace shardlens::launchers {

namespace {

constexpr const char* kDefault = "default of {0}";

/// The flag is there, and what it sets is not known: 1 would be wrong without a word.
void not_known(MegatronFlags& flags, const char* flag, const char* path) {
    flags.plan().needs(path, "its value is not understood", {}, flag, flags.shown(flag));
}

void degree(MegatronFlags& flags, const char* flag, const char* path) {
    if (flags.take_integer(flag, path)) return;
    if (flags.has(flag))
        not_known(flags, flag, path);
    else if (!flags.plan().has(path))
        flags.assume(path, std::int64_t{1}, kDefault, {flag});
}

/// Layers per chunk from the flags for the ends of the pipeline.
void read_split(MegatronFlags& flags, std::int64_t layers, std::int64_t pipeline,
                std::int64_t chunks_per_rank) {
    Imported& plan = flags.plan();
    const bool embedding = flags.on("--account-for-embedding-in-pipeline-split");
    const bool loss = flags.on("--account-for-loss-in-pipeline-split");
    const auto first = flags.integer("--decoder-first-pipeline-num-layers");
    const auto last = flags.integer("--decoder-last-pipeline-num-layers");
    if ((!embedding && !loss && !first && !last) || layers <= 0 || layers > 100'000 || pipeline < 2 ||
        pipeline > 100'000)
        return;
    if (chunks_per_rank < 1 || pipeline > 100'000 / chunks_per_rank) return;
    std::vector<std::int64_t> split;
    if (embedding || loss) {
        const std::int64_t chunks = pipeline * chunks_per_rank,
                           whole = layers + (embedding ? 1 : 0) + (loss ? 1 : 0);
        if (whole % chunks != 0) return;
        split.assign(static_cast<std::size_t>(chunks), whole / chunks);
        if (embedding) --split.front();
        if (loss) --split.back();
        plan.read("parallel.layers_per_stage", split,
                  embedding ? "--account-for-embedding-in-pipeline-split"
                            : "--account-for-loss-in-pipeline-split",
                  "");
        return;
    }
    const std::int64_t middle = pipeline - (first ? 1 : 0) - (last ? 1 : 0);
    const std::int64_t rest = layers - first.value_or(0) - last.value_or(0);
    if (rest < 0 || first.value_or(0) < 0 || last.value_or(0) < 0 ||
        (middle > 0 ? rest % middle != 0 : rest != 0)) {
        plan.warn("--decoder-first-pipeline-num-layers", fmt::format("{}", first.value_or(0)),
                  "leaves {0} layers that do not divide over {1} stages: Megatron-LM refuses it",
                  {std::to_string(rest), std::to_string(middle)});
        return;
    }
    split.assign(static_cast<std::size_t>(pipeline), middle > 0 ? rest / middle : 0);
    if (first) split.front() = *first;
    if (last) split.back() = *last;
    plan.read("parallel.layers_per_stage", split,
              first ? "--decoder-first-pipeline-num-layers" : "--decoder-last-pipeline-num-layers", "");
}

void read_pipeline(MegatronFlags& flags) {
    Imported& plan = flags.plan();
    const std::int64_t layers = flags.integer("--num-layers").value_or(0);
    const std::int64_t pipeline = plan.integer("parallel.pipeline").value_or(1);
    std::int64_t chunks = 1;
    if (flags.text("--schedules-method") == "dualpipev") // MindSpeed's; it halves the layers of a rank itself
        flags.take("--schedules-method", "parallel.schedule", std::string("dualpipe-v"));
    if (const auto layout = flags.text("--pipeline-model-parallel-layout")) {
        const auto split = layout_from_text(*layout);
        if (!split || pipeline < 1 || static_cast<std::int64_t>(split->size()) % pipeline != 0) {
            flags.outside("--pipeline-model-parallel-layout",
                          "no layout whose stages divide by the pipeline degree");
        } else {
            chunks = static_cast<std::int64_t>(split->size()) / pipeline;
            if (chunks > 1)
                flags.take("--pipeline-model-parallel-layout", "parallel.virtual_pipeline", chunks);
            flags.take("--pipeline-model-parallel-layout", "parallel.layers_per_stage", *split);
        }
    } else if (const auto count = flags.integer("--num-virtual-stages-per-pipeline-rank")) {
        chunks = *count;
        flags.take("--num-virtual-stages-per-pipeline-rank", "parallel.virtual_pipeline", chunks);
    } else if (const auto per_chunk = flags.integer("--num-layers-per-virtual-pipeline-stage")) {
        if (*per_chunk > 0 && pipeline > 0 && *per_chunk <= 100'000 && pipeline <= 100'000 &&
            layers % (*per_chunk * pipeline) == 0 && layers > 0) {
            chunks = layers / (*per_chunk * pipeline);
            flags.take("--num-layers-per-virtual-pipeline-stage", "parallel.virtual_pipeline", chunks,
                       "{0} layers over {1} stages of {2} layers a chunk",
                       {std::to_string(layers), std::to_string(pipeline), std::to_string(*per_chunk)});
        } else {
            flags.outside("--num-layers-per-virtual-pipeline-stage",
                          "the layers do not divide by pipeline · layers per chunk");
        }
    }
    for (const char* flag :
         {"--num-virtual-stages-per-pipeline-rank", "--num-layers-per-virtual-pipeline-stage"})
        if (flags.is_open(flag)) not_known(flags, flag, "parallel.virtual_pipeline");
    if (pipeline > 1) flags.needs("parallel.virtual_pipeline");
    read_split(flags, layers, pipeline, chunks);
    if (chunks > 1)
        flags.take_integer("--microbatch-group-size-per-virtual-pipeline-stage",
                           "parallel.virtual_pipeline_group");
    if (flags.on("--no-overlap-p2p-communication"))
        flags.take("--no-overlap-p2p-communication", "overlap.pipeline", false);
    static_cast<void>(flags.on("--overlap-p2p-communication"));
}

void read_context(MegatronFlags& flags) {
    Imported& plan = flags.plan();
    const bool split = plan.integer("parallel.context").value_or(1) > 1;
    if (const auto algorithm = flags.text("--context-parallel-algo")) { // MindSpeed's
        const std::string name = *algorithm == "megatron_cp_algo"      ? "ring"
                                 : *algorithm == "ulysses_cp_algo"     ? "ulysses"
                                 : *algorithm == "kvallgather_cp_algo" ? "allgather"
                                                                       : "";
        if (name.empty())
            flags.outside("--context-parallel-algo", "a plan has one transport: ring, ulysses or allgather");
        else if (split)
            flags.take("--context-parallel-algo", "parallel.context_kind", name);
        return;
    }
    const auto kinds = flags.list("--cp-comm-type");
    if (kinds.empty()) {
        if (split && !flags.has("--cp-comm-type"))
            flags.assume("parallel.context_kind", std::string("ring"), "default of --cp-comm-type: p2p");
        return;
    }
    const bool same =
        std::all_of(kinds.begin(), kinds.end(), [&](const std::string& kind) { return kind == kinds[0]; });
    const std::string name = context_kind_of_transport(kinds[0]);
    if (!same || name.empty())
        flags.outside("--cp-comm-type", "a plan has one transport: p2p, a2a or all_gather");
    else if (split)
        flags.take("--cp-comm-type", "parallel.context_kind", name);
}

void read_sharding(MegatronFlags& flags, int release) {
    Imported& plan = flags.plan();
    const bool distributed = flags.on("--use-distributed-optimizer");
    const char* own = flags.has("--use-custom-fsdp") ? "--use-custom-fsdp" : "--use-megatron-fsdp";
    const auto strategy = flags.text("--data-parallel-sharding-strategy");
    const auto optimizer = flags.text("--optimizer");
    if (flags.on(own)) {
        const std::string usual = release >= 19 ? "optim_grads_params" : "no_shard";
        const std::string kind = strategy.value_or(usual);
        const std::int64_t stage = kind == "optim_grads_params" ? 3
                                   : kind == "optim_grads"      ? 2
                                   : kind == "optim"            ? 1
                                                                : 0;
        if (strategy)
            flags.take("--data-parallel-sharding-strategy", "parallel.zero", stage);
        else
            flags.assume("parallel.zero", stage,
                         "default of --data-parallel-sharding-strategy in this release: {0}", {usual});
    } else if (flags.on("--use-torch-fsdp2")) {
        const bool keeps = flags.on("--torch-fsdp2-no-reshard-after-forward");
        flags.take("--use-torch-fsdp2", "parallel.zero", std::int64_t{keeps ? 2 : 3});
    } else if (distributed) {
        flags.take("--use-distributed-optimizer", "parallel.zero", std::int64_t{1});
    } else if (optimizer == "dist_muon") {
        flags.take("--optimizer", "parallel.zero", std::int64_t{1}, "shards its states by itself");
    } else {
        flags.assume("parallel.zero", std::int64_t{0}, "without --use-distributed-optimizer");
    }
    const auto instances = flags.integer("--num-distributed-optimizer-instances");
    if (!instances || *instances <= 1) return;
    const std::int64_t split =
        plan.integer("parallel.tensor").value_or(1) * plan.integer("parallel.pipeline").value_or(1);
    const auto gpus = plan.integer("cluster.gpus");
    if (gpus && split > 0 && *gpus % split == 0 && *gpus / split % *instances == 0)
        flags.take("--num-distributed-optimizer-instances", "parallel.shard_group",
                   *gpus / split / *instances, "data · context ranks over {0} instances",
                   {std::to_string(*instances)});
    else
        plan.missing("parallel.shard_group",
                     "data · context over the instances: the world must be known and divide", {},
                     "--num-distributed-optimizer-instances", std::to_string(*instances));
    static_cast<void>(flags.on("--outer-dp-sharding-strategy"));
}

void read_overlap(MegatronFlags& flags) {
    Imported& plan = flags.plan();
    const auto either = [&](const char* flag, const char* path, bool applies) {
        if (!flags.take_on(flag, path) && applies) plan.assume(path, false, "without {0}", {flag});
    };
    either("--overlap-grad-reduce", "overlap.grad_reduce", true);
    either("--overlap-param-gather", "overlap.param_gather", true);
    either("--tp-comm-overlap", "overlap.tensor", plan.integer("parallel.tensor").value_or(1) > 1);
    either("--overlap-moe-expert-parallel-comm", "overlap.expert",
           plan.integer("parallel.expert").value_or(1) > 1);
}

} // namespace

const char* context_kind_of_transport(std::string_view word) {
    if (word == "p2p") return "ring";
    if (word == "a2a") return "ulysses";
    return word == "all_gather" || word == "allgather" ? "allgather" : "";
}

void read_megatron_parallel(MegatronFlags& flags, int release) {
    Imported& plan = flags.plan();
    degree(flags, "--tensor-model-parallel-size", "parallel.tensor");
    degree(flags, "--pipeline-model-parallel-size", "parallel.pipeline");
    degree(flags, "--context-parallel-size", "parallel.context");
    if (flags.has("--num-experts")) {
        degree(flags, "--expert-model-parallel-size", "parallel.expert");
        const bool given = flags.has("--expert-tensor-parallel-size");
        if (given && !flags.take_integer("--expert-tensor-parallel-size", "parallel.expert_tensor"))
            not_known(flags, "--expert-tensor-parallel-size", "parallel.expert_tensor");
        else if (const auto tensor = plan.integer("parallel.tensor"); tensor && !given)
            flags.assume("parallel.expert_tensor", *tensor,
                         "default of --expert-tensor-parallel-size: the tensor degree");
    }
    const bool split = plan.integer("parallel.tensor").value_or(1) > 1;
    if (!flags.take_on("--sequence-parallel", "parallel.sequence")) {
        if (split) flags.needs("parallel.sequence");
    } else if (!split) {
        plan.warn("--sequence-parallel", "", "Megatron-LM switches it off without a word where tensor is 1");
    }
    read_pipeline(flags);
    read_context(flags);
    read_sharding(flags, release);
    read_overlap(flags);
    if (flags.on("--use-tp-pp-dp-mapping"))
        flags.take("--use-tp-pp-dp-mapping", "parallel.rank_order", std::string("tp-cp-ep-pp-dp"));
    flags.outside("--tensor-parallel-num-weight-shards", "weight shards have no form in a plan");
    flags.outside("--expert-tensor-parallel-num-weight-shards", "weight shards have no form in a plan");
    static_cast<void>(flags.on("--hierarchical-context-parallel-sizes"));
}

} // namespace shardlens::launchers
