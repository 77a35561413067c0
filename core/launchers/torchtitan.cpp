// SPDX-License-Identifier: GPL-3.0-or-later
// torchtitan: sections of 0.2.2 are torchtitan/config/job_config.py, classes of main
// torchtitan/config/configs.py.
#include "launchers/torchtitan.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launchers/common.h"
#include "launchers/makers.h"
#include "plan/fields.h"
#include "rules/launcher_schedule.h"

namespace shardlens::launchers {

std::span<const KeyRow> torchtitan_rows() {
    static const std::array kRows = {
        KeyRow{"parallel.tensor", "parallelism.tensor_parallel_degree"},
        KeyRow{"parallel.pipeline", "parallelism.pipeline_parallel_degree"},
        KeyRow{"parallel.context", "parallelism.context_parallel_degree"},
        KeyRow{"parallel.expert", "parallelism.expert_parallel_degree"},
        KeyRow{"parallel.zero",
               "parallelism.fsdp_reshard_after_forward",
               {{"2", "never"}, {"3", "always"}, {"0", "default"}, {"1", "never"}}},
        KeyRow{"training.precision",
               "training.mixed_precision_param",
               {{"fp32", "float32"},
                {"bf16", "bfloat16"},
                {"fp16", "bfloat16"},
                {"fp8", "bfloat16"},
                {"mxfp8", "bfloat16"},
                {"nvfp4", "bfloat16"}}},
    };
    return kRows;
}

std::span<const KeyRow> torchtitan_toml_rows() {
    static const std::array kRows = {
        KeyRow{"training.sequence_length", "training.seq_len"},
        KeyRow{"parallel.expert_tensor", "parallelism.expert_tensor_parallel_degree"},
        KeyRow{"parallel.context_kind",
               "parallelism.context_parallel_rotate_method",
               {{"ring", "alltoall"}, {"allgather", "allgather"}}},
        KeyRow{"memory.recompute",
               "activation_checkpoint.mode",
               {{"none", "none"}, {"full", "full"}, {"selective", "selective"}}},
    };
    return kRows;
}

std::span<const KeyRow> torchtitan_main_rows() {
    static const std::array kRows = {
        KeyRow{"training.sequence_length", "training.max_context_length"},
        KeyRow{"parallel.sequence", "parallelism.enable_sequence_parallel"},
    };
    return kRows;
}

const char* torchtitan_schedule(const Setup& setup) {
    switch (rules::schedule_instead(setup, "torchtitan").value_or(setup.schedule)) {
    case ScheduleKind::gpipe: return "GPipe";
    case ScheduleKind::interleaved: return "Interleaved1F1B";
    case ScheduleKind::bfs: return "LoopedBFS";
    case ScheduleKind::interleaved_zb: return "InterleavedZeroBubble";
    case ScheduleKind::zb_v: return "ZBVZeroBubble";
    case ScheduleKind::dualpipe_v: return "DualPipeV";
    default: return "1F1B";
    }
}

bool torchtitan_runs_several(std::string_view schedule) { return schedule != "1F1B" && schedule != "GPipe"; }

std::vector<std::int64_t> torchtitan_deal(std::int64_t layers, std::int64_t stages, std::int64_t first_less,
                                          std::int64_t last_less) {
    if (stages < 1 || layers < 0) return {};
    if (stages == 1) return {layers};
    const std::int64_t all = layers + first_less + last_less;
    if (stages > all) return {};
    const std::int64_t each = all / stages;
    if (first_less > each || last_less > each) return {};
    std::vector<std::int64_t> split(static_cast<std::size_t>(stages), each);
    for (std::int64_t extra = 0; extra < all % stages; ++extra) ++split[static_cast<std::size_t>(extra)];
    split.front() -= first_less;
    split.back() -= last_less;
    return split;
}

TorchtitanSplit torchtitan_split(const Setup& setup) {
    const auto stages = static_cast<std::int64_t>(setup.layers_per_chunk.size());
    const std::int64_t usual = torchtitan_runs_several(torchtitan_schedule(setup)) ? 2 : 1;
    TorchtitanSplit split;
    for (const auto& [first, last] : {std::pair{1, 1}, {0, 0}, {1, 0}, {0, 1}, {2, 2}, {1, 2}, {2, 1}}) {
        if (torchtitan_deal(setup.shape.layers, stages, first, last) != setup.layers_per_chunk) continue;
        split.first_less = first;
        split.last_less = last;
        if (setup.virtual_pipeline == usual) return split;
        // The number of stages is the layers, with those weights, over layers_per_stage, rounded up.
        const std::int64_t all = setup.shape.layers + first + last;
        const std::int64_t per_stage = (all + stages - 1) / stages;
        if ((all + per_stage - 1) / per_stage != stages) continue;
        split.layers_per_stage = per_stage;
        return split;
    }
    split.by_modules = true;
    return split;
}

nlohmann::ordered_json torchtitan_modules(const Setup& setup, const char* head) {
    auto stages = nlohmann::ordered_json::array();
    std::int64_t layer = 0;
    for (const std::int64_t count : setup.layers_per_chunk) {
        auto modules = nlohmann::ordered_json::array();
        if (stages.empty()) modules.push_back("tok_embeddings");
        for (std::int64_t i = 0; i < count; ++i) modules.push_back(fmt::format("layers.{}", layer++));
        stages.push_back(std::move(modules));
    }
    stages.back().push_back("norm");
    stages.back().push_back(head);
    return stages;
}

void find_torchtitan_differences(const Findings& findings) {
    const Setup& setup = findings.setup;
    const Training& training = setup.plan.training;
    if (setup.zero > 0 && setup.data * setup.context == 1)
        findings.differs("parallel.zero", "one replica: there is nothing to shard");
    if (setup.pipeline > 1) {
        if (rules::schedule_instead(setup, "torchtitan"))
            findings.differs("parallel.schedule",
                             fmt::format("torchtitan runs {} instead of {}", torchtitan_schedule(setup),
                                         to_string(setup.schedule)));
        if (setup.plan.parallel.virtual_pipeline_group > 0 && setup.virtual_pipeline > 1)
            findings.differs("parallel.virtual_pipeline_group", "micro-batches walk in PyTorch's own rounds");
    }
    const MemoryOptions& memory = setup.plan.memory;
    if (memory.recompute == Recompute::selective)
        findings.differs("memory.recompute_modules",
                         "torchtitan chooses operators, not modules: every second matrix product and what is "
                         "cheap to compute again");
    if (memory.recompute != Recompute::none && memory.recompute_layers > 0)
        findings.differs("memory.recompute_layers", "every layer is recomputed");
    const bool states = memory.offload_optimizer != Offload::none;
    const bool parameters = memory.offload_parameters != Offload::none;
    if (setup.zero < 2 && (states || parameters)) {
        findings.no_offload();
    } else {
        if (states != parameters)
            findings.differs(states ? "memory.offload_parameters" : "memory.offload_optimizer",
                             "parameters, gradients and optimizer states leave the GPU together");
        if (memory.offload_optimizer == Offload::nvme || memory.offload_parameters == Offload::nvme)
            findings.differs("memory.offload_optimizer", "to host memory: FSDP cannot write to NVMe");
        if (memory.offload_activations != Offload::none)
            findings.differs("memory.offload_activations", "activations stay on the GPU");
    }
    if (training.precision == Precision::fp16)
        findings.differs("training.precision", "bf16: torchtitan has no fp16");
    if (setup.gradient_dtype != Dtype::fp32)
        findings.differs("training.gradient_dtype", "gradients are reduced in fp32");
    if (setup.optimizer_dtype != Dtype::fp32)
        findings.differs("training.optimizer_dtype", "moments are kept in fp32");
    findings.only_adamw("torchtitan");
    if (setup.moe() && setup.shape.moe->capacity_factor > 0)
        findings.differs("model.moe.capacity_factor", "no token is dropped");
    if (!same_placement(setup, "tp-cp-ep-dp-pp"))
        findings.differs(
            "parallel.rank_order",
            "ranks land in torchtitan's order: tensor neighbours first, then context, data, pipeline");
}

Export make_torchtitan(const Setup& setup, const Report&, std::string_view version) {
    Export result;
    const std::string target = fmt::format("torchtitan@{}", version);
    const Findings findings{setup, result};
    check_hosts(setup, result);
    add_refusals(setup, target, result);
    if (!result.refusals.empty()) return result;
    find_torchtitan_differences(findings);
    const bool toml = version == "0.2.2";
    const std::string body = toml ? torchtitan_toml(findings) : torchtitan_python(findings);
    result.files.push_back(
        {toml ? "config.toml" : "config.py",
         file_header(setup, target, "learning rate, data, tokenizer, checkpoints", result) + body, false});
    const std::string start =
        toml ? torchrun_lines() + "    -m torchtitan.train --job.config_file \"$here/config.toml\"\n"
             : "export PYTHONPATH=$here${PYTHONPATH:+:$PYTHONPATH}\n" + torchrun_lines() +
                   "    -m torchtitan.train --module config --config plan\n";
    add_launch_files(setup, target, start, result);
    return result;
}

} // namespace shardlens::launchers
