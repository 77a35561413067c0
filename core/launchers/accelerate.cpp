// SPDX-License-Identifier: GPL-3.0-or-later
// accelerate: config.yaml names the engine and its degrees (src/accelerate/commands/config/config_args.py,
// commands/launch.py, parallelism_config.py, utils/dataclasses.py); model and batch are in the user's
// program.
#include "launchers/accelerate.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launchers/common.h"
#include "launchers/document_text.h"
#include "launchers/findings.h"
#include "launchers/makers.h"
#include "plan/fields.h"
#include "rules/accelerate_backend.h"
#include "rules/launcher_schedule.h"
#include "rules/megatron_split.h"

namespace shardlens::launchers {

std::span<const KeyRow> accelerate_fsdp_rows() {
    static const std::array kRows = {
        KeyRow{"parallel.zero", "fsdp_config.fsdp_reshard_after_forward", {{"2", "false"}, {"3", "true"}}},
        KeyRow{"memory.recompute",
               "fsdp_config.fsdp_activation_checkpointing",
               {{"none", "false"}, {"full", "true"}, {"selective", "false"}}},
        KeyRow{"parallel.tensor", "parallelism_config.parallelism_config_tp_size"},
        KeyRow{"parallel.context", "parallelism_config.parallelism_config_cp_size"},
        KeyRow{"parallel.context_kind",
               "parallelism_config.parallelism_config_cp_comm_strategy",
               {{"ring", "alltoall"}, {"allgather", "allgather"}}},
    };
    return kRows;
}

std::span<const KeyRow> accelerate_deepspeed_rows() {
    static const std::array kRows = {
        KeyRow{"parallel.zero", "deepspeed_config.zero_stage"},
        KeyRow{"memory.offload_optimizer",
               "deepspeed_config.offload_optimizer_device",
               {{"none", "none"}, {"cpu", "cpu"}, {"nvme", "nvme"}}},
        KeyRow{"memory.offload_parameters",
               "deepspeed_config.offload_param_device",
               {{"none", "none"}, {"cpu", "cpu"}, {"nvme", "nvme"}}},
    };
    return kRows;
}

std::span<const KeyRow> accelerate_megatron_rows() {
    static const std::array kRows = {
        KeyRow{"parallel.tensor", "megatron_lm_config.megatron_lm_tp_degree"},
        KeyRow{"parallel.pipeline", "megatron_lm_config.megatron_lm_pp_degree"},
        KeyRow{"parallel.context", "megatron_lm_config.megatron_lm_context_parallel_size"},
        KeyRow{"parallel.expert", "megatron_lm_config.megatron_lm_expert_model_parallel_size"},
        KeyRow{"parallel.expert_tensor", "megatron_lm_config.megatron_lm_expert_tensor_parallel_size"},
        KeyRow{"parallel.sequence", "megatron_lm_config.megatron_lm_sequence_parallelism"},
        KeyRow{"parallel.zero",
               "megatron_lm_config.megatron_lm_use_distributed_optimizer",
               {{"0", "false"}, {"1", "true"}}},
        KeyRow{"memory.recompute",
               "megatron_lm_config.megatron_lm_recompute_granularity",
               {{"full", "full"}, {"selective", "selective"}}},
        KeyRow{"memory.offload_optimizer",
               "megatron_lm_config.megatron_lm_optimizer_cpu_offload",
               {{"cpu", "true"}, {"nvme", "true"}, {"none", "false"}}},
    };
    return kRows;
}

namespace {

using Json = nlohmann::ordered_json;

void write_fsdp(const Findings& findings, const Plan& resolved, Json& document) {
    const Setup& setup = findings.setup;
    document["distributed_type"] = "FSDP";
    Json& fsdp = document["fsdp_config"];
    fsdp = {{"fsdp_version", 2},
            {"fsdp_auto_wrap_policy", "TRANSFORMER_BASED_WRAP"},
            {"fsdp_state_dict_type", "SHARDED_STATE_DICT"},
            {"fsdp_cpu_ram_efficient_loading", true}};
    document["parallelism_config"] = {
        {"parallelism_config_dp_replicate_size", setup.data * setup.context / setup.shard},
        {"parallelism_config_dp_shard_size", setup.shard / setup.context}};
    write_rows(accelerate_fsdp_rows(), resolved, document);
    if (setup.context == 1) document["parallelism_config"].erase("parallelism_config_cp_comm_strategy");
    const MemoryOptions& memory = setup.plan.memory;
    const bool states = memory.offload_optimizer != Offload::none;
    const bool parameters = memory.offload_parameters != Offload::none;
    fsdp["fsdp_offload_params"] = states || parameters;
    if (states != parameters)
        findings.differs(states ? "memory.offload_parameters" : "memory.offload_optimizer",
                         "parameters, gradients and optimizer states leave the GPU together");
    if (memory.offload_optimizer == Offload::nvme || memory.offload_parameters == Offload::nvme)
        findings.differs("memory.offload_optimizer", "to host memory: FSDP cannot write to NVMe");
    if (memory.offload_activations != Offload::none)
        findings.differs("memory.offload_activations", "activations stay on the GPU");
    findings.recompute_is_all_or_nothing();
    if (setup.tensor > 1)
        findings.differs("parallel.sequence",
                         "the tensor-parallel plan of your model decides whether norms split the sequence");
    findings.differs("model",
                     "the wrapped layers are those that the model names itself (_no_split_modules); set "
                     "fsdp_transformer_layer_cls_to_wrap otherwise");
}

void write_deepspeed(const Findings& findings, const Plan& resolved, Json& document) {
    const Setup& setup = findings.setup;
    document["distributed_type"] = "DEEPSPEED";
    document["deepspeed_config"] = {{"deepspeed_multinode_launcher", "standard"},
                                    {"gradient_accumulation_steps", setup.micro_batches},
                                    {"gradient_clipping", 1.0},
                                    {"zero3_init_flag", setup.zero == 3},
                                    {"zero3_save_16bit_model", false}};
    write_rows(accelerate_deepspeed_rows(), resolved, document);
    Json& deepspeed = document["deepspeed_config"];
    const MemoryOptions& memory = setup.plan.memory;
    const bool runs = setup.zero >= 1 && (memory.offload_optimizer == Offload::cpu || setup.zero == 3);
    if (memory.offload_optimizer != Offload::none && !runs) {
        deepspeed["offload_optimizer_device"] = "none";
        findings.differs("memory.offload_optimizer",
                         "states stay on the GPU: offload needs ZeRO, to NVMe ZeRO 3");
    }
    if (memory.offload_parameters != Offload::none && setup.zero != 3) {
        deepspeed["offload_param_device"] = "none";
        findings.differs("memory.offload_parameters", "parameters stay on the GPU: offload needs ZeRO 3");
    }
    for (const char* what : {"optimizer", "param"})
        if (deepspeed[fmt::format("offload_{}_device", what)] == "nvme") {
            deepspeed[fmt::format("offload_{}_nvme_path", what)] = "/local_nvme";
            findings.differs("memory.offload_optimizer",
                             "nvme_path is /local_nvme: name the folder of your own drives");
        }
    if (memory.recompute != Recompute::none)
        findings.differs("memory.recompute", "turn gradient checkpointing on in your program");
    if (memory.offload_activations != Offload::none)
        findings.differs("memory.offload_activations", "activations stay on the GPU");
    if (setup.context == 1) return;
    document["parallelism_config"] = {
        {"parallelism_config_dp_replicate_size", 1},
        {"parallelism_config_dp_shard_size", setup.data},
        {"parallelism_config_sp_size", setup.context},
        {"parallelism_config_sp_backend", "deepspeed"},
        {"parallelism_config_sp_seq_length", setup.plan.training.sequence_length},
        {"parallelism_config_sp_seq_length_is_variable", false},
        {"parallelism_config_sp_attn_implementation",
         setup.plan.training.attention == Attention::flash ? "flash_attention_2" : "sdpa"}};
}

void write_megatron(const Findings& findings, const Plan& resolved, Json& document) {
    const Setup& setup = findings.setup;
    document["distributed_type"] = "MEGATRON_LM";
    write_rows(accelerate_megatron_rows(), resolved, document);
    Json& megatron = document["megatron_lm_config"];
    megatron["megatron_lm_num_micro_batches"] = setup.micro_batches;
    megatron["megatron_lm_gradient_clipping"] = 1.0;
    if (!setup.moe()) {
        megatron.erase("megatron_lm_expert_model_parallel_size");
        megatron.erase("megatron_lm_expert_tensor_parallel_size");
    }
    const MemoryOptions& memory = setup.plan.memory;
    if (memory.recompute == Recompute::full) {
        const bool some = memory.recompute_layers > 0;
        megatron["megatron_lm_recompute_method"] = some ? "block" : "uniform";
        megatron["megatron_lm_recompute_num_layers"] = some ? memory.recompute_layers : 1;
    }
    if (setup.context > 1 && setup.context_kind != ContextKind::ring)
        findings.differs("parallel.context_kind", "ring: the Megatron-LM plugin has no other");
    if (memory.recompute == Recompute::selective && setup.recompute_modules != kRecomputeCoreAttention)
        findings.differs("memory.recompute_modules", "the attention core is recomputed and nothing else");
    if (memory.offload_optimizer == Offload::nvme)
        findings.differs("memory.offload_optimizer", "to host memory: Megatron-LM cannot write to NVMe");
    if (memory.offload_parameters != Offload::none)
        findings.differs("memory.offload_parameters", "parameters stay on the GPU");
    if (memory.offload_activations != Offload::none)
        findings.differs("memory.offload_activations", "activations stay on the GPU");
    if (setup.pipeline == 1) return;
    if (rules::schedule_instead(setup, "accelerate"))
        findings.differs("parallel.schedule",
                         fmt::format("Megatron-LM runs 1f1b instead of {}", to_string(setup.schedule)));
    if (rules::only_last_differs(setup)) // every other uneven split is refused
        megatron["megatron_lm_decoder_last_pipeline_num_layers"] = setup.layers_per_chunk.back();
}

void write_precision(const Findings& findings, AccelerateBackend backend, Json& document) {
    const Precision precision = findings.setup.plan.training.precision;
    switch (precision) {
    case Precision::fp32: document["mixed_precision"] = "no"; return;
    case Precision::fp16: document["mixed_precision"] = "fp16"; return;
    case Precision::bf16: document["mixed_precision"] = "bf16"; return;
    default: break;
    }
    if (backend == AccelerateBackend::megatron) { // MegatronLMPlugin.set_mixed_precision knows fp16 and bf16
        document["mixed_precision"] = "bf16";
        findings.differs("training.precision", fmt::format("bf16: accelerate's Megatron-LM plugin has no {}",
                                                           to_string(precision)));
        return;
    }
    document["mixed_precision"] = "fp8";
    document["fp8_config"] = {{"fp8_backend", "TE"}, {"fp8_format", "HYBRID"}};
    if (precision != Precision::fp8)
        findings.differs("training.precision",
                         fmt::format("fp8: accelerate's configuration has no {}", to_string(precision)));
}

/// No engine is told a dtype of gradients: replicas reduce them as the fp32 parameters have them, FSDP and
/// DeepSpeed in the training precision, Megatron-LM in fp32 unless it trains in fp16.
void find_gradient_difference(const Findings& findings, AccelerateBackend backend) {
    const Dtype working = working_dtype(findings.setup);
    const bool in_fp32 = backend == AccelerateBackend::ddp ||
                         (backend == AccelerateBackend::megatron && working != Dtype::fp16);
    if (findings.setup.gradient_dtype != (in_fp32 ? Dtype::fp32 : working))
        findings.differs("training.gradient_dtype",
                         in_fp32 ? "gradients are reduced in fp32" : "gradients have the training precision");
}

void find_differences(const Findings& findings, AccelerateBackend backend) {
    const Setup& setup = findings.setup;
    const Training& training = setup.plan.training;
    findings.model_in_program();
    findings.attention_in_program();
    findings.differs(
        "training.micro_batch_size",
        fmt::format("give your loader batches of {} samples per GPU", training.micro_batch_size));
    if (backend == AccelerateBackend::fsdp2 || backend == AccelerateBackend::ddp)
        findings.differs("training.global_batch_size",
                         fmt::format("give Accelerator gradient_accumulation_steps={} in your program: {} "
                                     "samples per step",
                                     setup.micro_batches, training.global_batch_size));
    findings.differs("training.optimizer",
                     fmt::format("make the optimizer ({}) in your program", to_string(training.optimizer)));
    find_gradient_difference(findings, backend);
    // Every engine keeps fp32 master weights and moments.
    if (setup.optimizer_dtype != Dtype::fp32)
        findings.differs("training.optimizer_dtype", "moments are kept in fp32");
    const std::int64_t nodes = setup.cluster.nodes(), gpus = setup.cluster.gpus;
    if (nodes > 1 && gpus % nodes == 0 && gpus / nodes != setup.cluster.node.gpus_per_node)
        findings.differs("cluster.gpus",
                         fmt::format("{} processes on each of the {} nodes", gpus / nodes, nodes));
    const bool ulysses = backend == AccelerateBackend::deepspeed && setup.context > 1;
    if (!same_placement(setup, ulysses ? "cp-tp-dp-pp" : "tp-cp-ep-dp-pp"))
        findings.differs("parallel.rank_order",
                         "ranks land in accelerate's order: tensor neighbours first, then context, shards, "
                         "replicas");
}

} // namespace

Export make_accelerate(const Setup& setup, const Report&, std::string_view version) {
    Export result;
    const std::string target = fmt::format("accelerate@{}", version);
    const Findings findings{setup, result};
    check_hosts(setup, result);
    add_refusals(setup, target, result);
    if (!result.refusals.empty()) return result;
    const AccelerateBackend backend = accelerate_backend(setup);
    const Plan resolved = acting_plan(setup);
    const std::int64_t nodes = setup.cluster.nodes();
    Json document = {{"compute_environment", "LOCAL_MACHINE"},
                     {"distributed_type", setup.world() > 1 ? "MULTI_GPU" : "NO"},
                     {"mixed_precision", "no"},
                     {"num_machines", nodes},
                     {"num_processes", setup.world()},
                     {"machine_rank", 0},
                     {"main_process_port", 29500},
                     {"rdzv_backend", "static"},
                     {"same_network", true},
                     {"main_training_function", "main"}};
    if (nodes > 1)
        document["main_process_ip"] =
            setup.plan.cluster.hosts.empty() ? "node0" : setup.plan.cluster.hosts.front();
    write_precision(findings, backend, document);
    switch (backend) {
    case AccelerateBackend::ddp:
        if (setup.plan.memory.recompute != Recompute::none)
            findings.differs("memory.recompute", "turn gradient checkpointing on in your program");
        findings.no_offload();
        break;
    case AccelerateBackend::fsdp2: write_fsdp(findings, resolved, document); break;
    case AccelerateBackend::deepspeed: write_deepspeed(findings, resolved, document); break;
    case AccelerateBackend::megatron: write_megatron(findings, resolved, document); break;
    }
    find_differences(findings, backend);

    const std::string header =
        file_header(setup, target, "model, data, optimizer, in your program", result, false);
    result.files.push_back({"config.yaml", header + yaml_text(document), false});
    std::optional<Json> fsdp1;
    if (backend == AccelerateBackend::fsdp2) fsdp1 = on_fsdp1(setup, document);
    if (fsdp1)
        result.files.push_back({"config_fsdp1.yaml",
                                header + "# For programs on FSDP1; config.yaml is the same plan on FSDP2.\n" +
                                    "# Start: ACCELERATE_CONFIG=config_fsdp1.yaml ./run.sh\n" +
                                    yaml_text(*fsdp1),
                                false});
    const std::string start =
        fmt::format("exec accelerate launch --config_file \"$here/{}\" --machine_rank \"$NODE_RANK\" \\\n"
                    "    --main_process_ip \"$MASTER_ADDR\" --main_process_port \"$MASTER_PORT\" \\\n"
                    "    \"${{TRAIN_SCRIPT:?set TRAIN_SCRIPT to your training program}}\"\n",
                    fsdp1 ? "${ACCELERATE_CONFIG:-config.yaml}" : "config.yaml");
    add_launch_files(setup, target, start, result);
    return result;
}

} // namespace shardlens::launchers
