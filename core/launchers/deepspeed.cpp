// SPDX-License-Identifier: GPL-3.0-or-later
// DeepSpeed: ds_config.json (deepspeed/runtime/config.py of 0.19). The file knows batch, precision, ZeRO,
// AutoTP, AutoEP and Ulysses; the model, the pipeline and recomputation are built in the user's program.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "catalog/acting_plan.h"
#include "launchers/common.h"
#include "launchers/findings.h"
#include "launchers/key_rows.h"
#include "launchers/makers.h"
#include "plan/fields.h"
#include "rules/deepspeed_muon.h"
#include "rules/launcher_schedule.h"

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;

struct Config {
    Json json = Json::object();
    Export& result;

    void differs(std::string path, std::string instead) {
        result.not_expressed.push_back({std::move(path), std::move(instead)});
    }
};

void add_batch(const Setup& setup, Config& out) {
    const Training& training = setup.plan.training;
    const std::int64_t per_accumulation = training.micro_batch_size * setup.data;
    // With AutoTP DeepSpeed checks the product against the whole world and would refuse the true batch.
    const bool auto_tp = setup.tensor > 1 && setup.pipeline == 1;
    if (!auto_tp) out.json["train_batch_size"] = training.global_batch_size;
    out.json["train_micro_batch_size_per_gpu"] = training.micro_batch_size;
    out.json["gradient_accumulation_steps"] = training.global_batch_size / per_accumulation;
    if (auto_tp) {
        out.differs(
            "training.global_batch_size",
            fmt::format("train_batch_size is left out, because DeepSpeed compares it with all GPUs when "
                        "autotp_size is set; micro batch and accumulation make the true {}",
                        training.global_batch_size));
    }
    out.json["gradient_clipping"] = 1.0;
}

void add_precision(const Setup& setup, Config& out) {
    const Precision precision = setup.plan.training.precision;
    Dtype model = Dtype::bf16;
    if (precision == Precision::fp32) {
        model = Dtype::fp32;
    } else if (precision == Precision::fp16) {
        model = Dtype::fp16;
        out.json["fp16"] = {{"enabled", true}};
    } else {
        out.json["bf16"] = {{"enabled", true}};
        if (precision != Precision::bf16) {
            out.differs("training.precision",
                        fmt::format("bf16: replace the linear layers by Transformer Engine's {} ones "
                                    "in your program",
                                    to_string(precision)));
        }
    }
    if (setup.gradient_dtype != model) {
        if (setup.zero > 0)
            out.json["data_types"] = {{"grad_accum_dtype", std::string(to_string(setup.gradient_dtype))}};
        else
            out.differs("training.gradient_dtype",
                        "gradients have the model's dtype: another one needs parallel.zero >= 1");
    }
    if (setup.optimizer_dtype != Dtype::fp32) {
        out.differs("training.optimizer_dtype",
                    "fp32 moments: DeepSpeed keeps 16-bit ones only without fp32 master weights");
    }
}

void add_optimizer(const Setup& setup, Config& out) {
    const Json rates = {{"lr", 3e-4}, {"weight_decay", 0.1}};
    const auto in_program = [&](const char* what) {
        out.json["zero_allow_untested_optimizer"] = true;
        out.differs("training.optimizer",
                    fmt::format("give {} to deepspeed.initialize in your program", what));
    };
    switch (setup.plan.training.optimizer) {
    case Optimizer::adamw: {
        Json parameters = rates;
        parameters["betas"] = {0.9, 0.95};
        parameters["eps"] = 1e-8;
        out.json["optimizer"] = {{"type", "AdamW"}, {"params", parameters}};
        break;
    }
    case Optimizer::sgd:
        out.json["optimizer"] = {{"type", "SGD"}, {"params", rates}};
        out.json["zero_allow_untested_optimizer"] = true;
        break;
    case Optimizer::muon: out.json["optimizer"] = {{"type", "Muon"}, {"params", rates}}; break;
    case Optimizer::adafactor: in_program("an Adafactor optimizer"); break;
    case Optimizer::adamw_8bit: in_program("an 8-bit AdamW (bitsandbytes)"); break;
    }
}

void add_zero(const Setup& setup, Config& out) {
    const MemoryOptions& memory = setup.plan.memory;
    Json zero = {{"stage", setup.zero}};
    if (setup.zero > 0) {
        zero["overlap_comm"] = setup.overlap.grad_reduce.value_or(false);
        zero["contiguous_gradients"] = true;
    }
    const auto device = [&](Offload offload, const char* path) {
        Json section = {{"device", std::string(to_string(offload))}, {"pin_memory", true}};
        if (offload == Offload::nvme) {
            section["nvme_path"] = "/local_nvme";
            out.differs(path, "nvme_path is /local_nvme: name the folder of your own drives");
        }
        return section;
    };
    if (memory.offload_optimizer != Offload::none) {
        const bool runs = setup.zero >= 1 && (memory.offload_optimizer == Offload::cpu || setup.zero == 3);
        if (runs)
            zero["offload_optimizer"] = device(memory.offload_optimizer, "memory.offload_optimizer");
        else
            out.differs("memory.offload_optimizer",
                        "states stay on the GPU: offload needs ZeRO, to NVMe ZeRO 3");
    }
    if (memory.offload_parameters != Offload::none) {
        if (setup.zero == 3)
            zero["offload_param"] = device(memory.offload_parameters, "memory.offload_parameters");
        else
            out.differs("memory.offload_parameters", "parameters stay on the GPU: offload needs ZeRO 3");
    }
    // DeepSpeed's Muon needs whole gradients where these calls would leave it parts (stage3.py,
    // stage_1_and_2.py).
    if (rules::muon_needs_whole_gradients(setup)) zero["reduce_scatter"] = false;
    if (setup.zero == 3 && setup.plan.parallel.shard_group > 0 && setup.shard < setup.data * setup.context) {
        zero["mics_shard_size"] = setup.shard;
        out.differs("parallel.shard_group",
                    "build the model inside deepspeed.zero.MiCS_Init in your program");
    }
    out.json["zero_optimization"] = zero;
}

void add_degrees(const Setup& setup, Config& out) {
    if (setup.pipeline > 1) {
        out.json["pipeline"] = {{"activation_checkpoint_interval", 0}};
        out.differs("parallel.pipeline",
                    fmt::format("build a PipelineModule with num_stages={} in your program; the step's {} "
                                "micro-batches are gradient_accumulation_steps",
                                setup.pipeline, setup.micro_batches));
        if (rules::schedule_instead(setup, "deepspeed")) {
            out.differs("parallel.schedule",
                        fmt::format("DeepSpeed runs 1f1b instead of {}", to_string(setup.schedule)));
        }
        std::string split;
        for (const std::int64_t n : setup.layers_per_chunk)
            split += fmt::format("{}{}", split.empty() ? "" : ", ", n);
        out.differs("parallel.layers_per_stage",
                    fmt::format("choose partition_method so that the stages hold {} layers", split));
    }
    if (setup.tensor > 1) {
        if (setup.pipeline > 1) {
            out.differs("parallel.tensor",
                        fmt::format("hand PipeModelDataParallelTopology(num_pp={}, num_mp={}, num_dp={}) to "
                                    "PipelineModule and build tensor-parallel layers in your program",
                                    setup.pipeline, setup.tensor, setup.data));
        } else {
            out.json["tensor_parallel"] = {{"autotp_size", setup.tensor}};
        }
        if (setup.sequence)
            out.differs("parallel.sequence",
                        "norms and dropout work on whole sequences on every tensor rank");
    }
    if (setup.context > 1) {
        out.json["sequence_parallel_size"] = setup.context;
        out.json["data_parallel_size"] = setup.world() / setup.context;
    }
    if (setup.moe() && setup.expert > 1) {
        if (setup.pipeline > 1) {
            out.differs("parallel.expert",
                        fmt::format("build the MoE layers with ep_size={} in your program", setup.expert));
        } else {
            out.json["expert_parallel"] = {{"enabled", true}, {"autoep_size", setup.expert}};
        }
    }
    const char* order = setup.context > 1 ? "cp-tp-dp-pp" : "tp-cp-ep-dp-pp";
    if (!same_placement(setup, order)) {
        out.differs("parallel.rank_order",
                    "ranks land in DeepSpeed's order: tensor or sequence neighbours first, then data, then "
                    "pipeline");
    }
}

void add_recompute(const Setup& setup, Config& out) {
    const MemoryOptions& memory = setup.plan.memory;
    const bool offload = memory.offload_activations != Offload::none;
    if (memory.recompute != Recompute::none) {
        out.json["activation_checkpointing"] = {{"partition_activations", false},
                                                {"cpu_checkpointing", offload}};
        const std::string layers =
            memory.recompute_layers > 0
                ? fmt::format("the first {} layers of each rank", memory.recompute_layers)
                : "every layer";
        out.differs("memory.recompute",
                    fmt::format("wrap {} ({}) in deepspeed.checkpointing.checkpoint in your program", layers,
                                to_string(memory.recompute)));
        if (memory.recompute == Recompute::selective) {
            const FieldValue modules = get_field(acting_plan(setup), "memory.recompute_modules");
            out.differs("memory.recompute_modules",
                        fmt::format("inside a layer wrap {} and nothing else in your program",
                                    fmt::join(std::get<std::vector<std::string>>(modules), ", ")));
        }
        if (memory.offload_activations == Offload::nvme) {
            out.differs("memory.offload_activations",
                        "to host memory: DeepSpeed keeps checkpoints on the GPU or the host");
        }
    } else if (offload) {
        out.differs("memory.offload_activations",
                    "activations stay on the GPU: only checkpoints (memory.recompute) can leave it");
    }
}

} // namespace

Export make_deepspeed(const Setup& setup, const Report&, std::string_view version) {
    Export result;
    Config config{Json::object(), result};
    check_hosts(setup, result);
    // DeepSpeed passes over top-level keys that it does not know.
    config.json["launcher"] = fmt::format("deepspeed@{}", version);
    add_batch(setup, config);
    add_precision(setup, config);
    add_optimizer(setup, config);
    add_zero(setup, config);
    add_degrees(setup, config);
    add_recompute(setup, config);
    Findings{setup, result}.model_in_program();
    Findings{setup, result}.attention_in_program();
    add_refusals(setup, fmt::format("deepspeed@{}", version), result);
    if (!result.refusals.empty()) return result;

    result.files.push_back({"ds_config.json", config.json.dump(2) + "\n", false});
    const std::string start =
        torchrun_lines() +
        "    \"${TRAIN_SCRIPT:?set TRAIN_SCRIPT to your training program}\" --deepspeed \\\n"
        "    --deepspeed_config \"$here/ds_config.json\"\n";
    add_launch_files(setup, fmt::format("deepspeed@{}", version), start, result);
    return result;
}

} // namespace shardlens::launchers
