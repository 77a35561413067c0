// SPDX-License-Identifier: GPL-3.0-or-later
// accelerate's config.yaml: engine and degrees are known, model, batch and sequence are in the user's
// program.
#include <array>
#include <nlohmann/json.hpp>

#include "launchers/accelerate.h"
#include "launchers/import_documents.h"
#include "launchers/read_rows.h"
#include "launchers/readers.h"
#include "plan/fields.h"

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kInProgram = "accelerate leaves it to the training program";

bool is_true(KeyReader& keys, const char* name) { return keys.flag(name).value_or(false); }

/// The mesh of replicate, shard, context (or Ulysses) and tensor ranks.
void read_mesh(KeyReader& keys, Imported& plan) {
    const std::int64_t replicate =
        keys.integer("parallelism_config.parallelism_config_dp_replicate_size").value_or(1);
    const std::int64_t shard =
        keys.integer("parallelism_config.parallelism_config_dp_shard_size").value_or(1);
    if (const auto sequence = keys.integer("parallelism_config.parallelism_config_sp_size");
        sequence && *sequence > 1) {
        keys.take_integer("parallelism_config.parallelism_config_sp_size", "parallel.context");
        keys.take_as("parallelism_config.parallelism_config_sp_backend", "parallel.context_kind",
                     std::string("ulysses"));
    }
    if (replicate < 1 || shard < 1 || replicate > 10'000'000 || shard > 10'000'000) return;
    const Names key = "parallelism_config.parallelism_config_dp_shard_size";
    if (!keys.find("parallelism_config")) {
        if (const auto processes = keys.integer("num_processes"); processes && *processes > 0)
            keys.take_as("num_processes", "parallel.data", *processes,
                         "without a mesh every process is a data rank");
    } else if (replicate * shard > 0)
        keys.take_as(key, "parallel.data", replicate * shard, "dp_replicate_size · dp_shard_size");
    const std::int64_t context = integer_or(plan, "parallel.context", 1);
    if (replicate > 1 && integer_or(plan, "parallel.zero", 0) >= 2 && context < 10'000'000)
        keys.take_as(key, "parallel.shard_group", shard * context, "shard ranks · context ranks");
    if (const auto length = keys.integer("parallelism_config.parallelism_config_sp_seq_length");
        length && *length > 0)
        keys.take_integer("parallelism_config.parallelism_config_sp_seq_length", "training.sequence_length");
    keys.ignore({"parallelism_config.parallelism_config_sp_seq_length_is_variable",
                 "parallelism_config.parallelism_config_sp_attn_implementation",
                 "parallelism_config.parallelism_config_cp_backend",
                 "parallelism_config.parallelism_config_sp_backend"});
}

void read_offload_params(KeyReader& keys) {
    const Names key = "fsdp_config.fsdp_offload_params";
    if (!keys.flag(key).value_or(false)) return;
    keys.take_as(key, "memory.offload_parameters", std::string("cpu"));
    keys.take_as(key, "memory.offload_optimizer", std::string("cpu"));
}

void read_fsdp1(KeyReader& keys, Imported& plan) {
    const Names key{"fsdp_config.fsdp_sharding_strategy", "fsdp_config.fsdp_reshard_after_forward"};
    const Json* written = keys.find(key);
    const auto strategies = fsdp1_strategies();
    Fsdp1Strategy strategy = strategies.front();
    if (written) {
        const std::string text = written->is_string() ? written->get<std::string>() : written->dump();
        const std::string_view name = std::string_view(text).substr(text.starts_with('_') ? 1 : 0);
        const auto number = number_from_text(text); // in old files
        bool known = false;
        for (std::size_t i = 0; i < strategies.size(); ++i) {
            if (name != strategies[i].name && number != static_cast<double>(i + 1)) continue;
            strategy = strategies[i];
            known = true;
        }
        if (!known) plan.not_understood(keys.key(key), text, "no such strategy is known; read as FULL_SHARD");
        keys.take_as(key, "parallel.zero", strategy.zero);
    } else {
        plan.assume("parallel.zero", strategy.zero, "accelerate's default FULL_SHARD");
    }
    if (!strategy.in_node) return;
    const auto processes = keys.integer("num_processes"), machines = keys.integer("num_machines");
    if (processes && machines && *machines > 0 && *processes % *machines == 0)
        keys.take_as(key, "parallel.shard_group", *processes / *machines, "shards inside a node");
}

void read_fsdp(KeyReader& keys, Imported& plan) {
    const std::int64_t version = keys.integer("fsdp_config.fsdp_version").value_or(1);
    if (version == 1) {
        read_fsdp1(keys, plan);
        read_rows(accelerate_fsdp_rows().subspan(1), keys, plan);
    } else {
        read_rows(accelerate_fsdp_rows(), keys, plan);
        if (!plan.has("parallel.zero"))
            plan.assume("parallel.zero", std::int64_t{3}, "FSDP2 reshards after the forward by default");
        keys.ignore({"fsdp_config.fsdp_sharding_strategy"});
    }
    read_offload_params(keys);
    read_mesh(keys, plan);
    keys.ignore({"fsdp_config.fsdp_auto_wrap_policy", "fsdp_config.fsdp_transformer_layer_cls_to_wrap",
                 "fsdp_config.fsdp_min_num_params", "fsdp_config.fsdp_state_dict_type",
                 "fsdp_config.fsdp_backward_prefetch", "fsdp_config.fsdp_backward_prefetch_policy",
                 "fsdp_config.fsdp_forward_prefetch", "fsdp_config.fsdp_use_orig_params",
                 "fsdp_config.fsdp_cpu_ram_efficient_loading", "fsdp_config.fsdp_sync_module_states"});
}

void read_deepspeed(KeyReader& keys, Imported& plan) {
    if (const auto file = keys.text("deepspeed_config.deepspeed_config_file")) {
        plan.not_understood("deepspeed_config.deepspeed_config_file", *file,
                            "stage, precision, batch and offload stand in that file, which is not read");
        plan.needs("parallel.zero", "it stands in {0}: import that file as well", {*file});
        if (!keys.has("mixed_precision"))
            plan.needs("training.precision", "it stands in {0}: import that file as well", {*file});
    } else {
        read_rows(accelerate_deepspeed_rows(), keys, plan);
        if (!plan.has("parallel.zero"))
            plan.assume("parallel.zero", std::int64_t{2}, "accelerate's default stage");
    }
    read_mesh(keys, plan);
    keys.ignore({"deepspeed_config.deepspeed_multinode_launcher", "deepspeed_config.gradient_clipping",
                 "deepspeed_config.zero3_init_flag", "deepspeed_config.zero3_save_16bit_model",
                 "deepspeed_config.offload_optimizer_nvme_path", "deepspeed_config.offload_param_nvme_path",
                 "deepspeed_config.deepspeed_hostfile", "deepspeed_config.deepspeed_moe_layer_cls_names"});
}

/// The last stage's layers; the other stages share the rest alike.
void read_last_stage(KeyReader& keys, Imported& plan) {
    const Names key = "megatron_lm_config.megatron_lm_decoder_last_pipeline_num_layers";
    const auto last = keys.integer(key);
    if (!last) return;
    const std::int64_t layers = integer_or(plan, "model.layers", 0);
    const std::int64_t others = integer_or(plan, "parallel.pipeline", 1) - 1;
    if (others < 1 || others > 100'000 || *last < 1 || layers <= *last || (layers - *last) % others != 0) {
        plan.not_understood(keys.key(key), keys.shown(key),
                            "the layers of the other stages follow from the model's, which are not known");
        return;
    }
    std::vector<std::int64_t> split(static_cast<std::size_t>(others), (layers - *last) / others);
    split.push_back(*last);
    keys.take_as(key, "parallel.layers_per_stage", split);
}

void read_megatron(KeyReader& keys, Imported& plan) {
    read_rows(accelerate_megatron_rows(), keys, plan);
    if (!keys.find("megatron_lm_config.megatron_lm_recompute_granularity") &&
        is_true(keys, "megatron_lm_config.megatron_lm_recompute_activations"))
        keys.take_as("megatron_lm_config.megatron_lm_recompute_activations", "memory.recompute",
                     std::string("selective"));
    if (plan.value("memory.recompute") == FieldValue(std::string("full"))) {
        if (keys.text("megatron_lm_config.megatron_lm_recompute_method") == "block")
            keys.take_integer("megatron_lm_config.megatron_lm_recompute_num_layers",
                              "memory.recompute_layers");
    }
    keys.ignore({"megatron_lm_config.megatron_lm_recompute_method",
                 "megatron_lm_config.megatron_lm_recompute_num_layers",
                 "megatron_lm_config.megatron_lm_recompute_activations",
                 "megatron_lm_config.megatron_lm_gradient_clipping"});
    if (integer_or(plan, "parallel.context", 1) > 1)
        plan.assume("parallel.context_kind", std::string("ring"), "the Megatron-LM plugin has no other");
    read_last_stage(keys, plan);
    std::int64_t ranks = 1;
    for (const char* path : {"parallel.tensor", "parallel.pipeline", "parallel.context"})
        ranks *= std::min<std::int64_t>(std::max<std::int64_t>(integer_or(plan, path, 1), 1), 1'000'000);
    if (const auto processes = keys.integer("num_processes");
        processes && ranks > 0 && *processes % ranks == 0)
        keys.take_as("num_processes", "parallel.data", *processes / ranks,
                     "processes over tensor · pipeline · context");
}

} // namespace

int looks_like_accelerate(std::string_view text, std::string_view) {
    const auto has = [&](const char* part) { return text.find(part) != std::string_view::npos; };
    if (has("compute_environment:") && has("distributed_type:")) return 95;
    if (!has("distributed_type:")) return 0;
    if (has("fsdp_config:") || has("deepspeed_config:")) return 90;
    return 80; // written by hand: the least that `accelerate launch` is given
}

Error read_accelerate(std::string_view text, const std::string& origin, std::string_view, Imported& plan) {
    auto documents = yaml_documents(text, origin, plan);
    if (!documents) return documents.error();
    if (documents->empty() || !documents->front().is_object())
        return {origin, "has no keys; an accelerate configuration has distributed_type:"};
    const Json& document = documents->front();
    if (documents->size() > 1) plan.warn("---", "", "more than one document; the first counts");
    KeyReader keys(document, plan);
    plan.assume("target", std::string("accelerate@1.15"), "the file is accelerate's");
    keys.take_integer("num_processes", "cluster.gpus");
    const std::string kind = keys.text("distributed_type").value_or("NO");
    if (kind == "FSDP") {
        plan.assume("stack", std::string("fsdp"), "distributed_type is FSDP");
        read_fsdp(keys, plan);
    } else if (kind == "DEEPSPEED") {
        plan.assume("stack", std::string("deepspeed"), "distributed_type is DEEPSPEED");
        read_deepspeed(keys, plan);
        read_global_batch(keys, plan, "deepspeed_config.gradient_accumulation_steps");
    } else if (kind == "MEGATRON_LM") {
        plan.assume("stack", std::string("megatron-lm"), "distributed_type is MEGATRON_LM");
        read_megatron(keys, plan);
        read_global_batch(keys, plan, "megatron_lm_config.megatron_lm_num_micro_batches");
    } else if (kind == "MULTI_GPU" || kind == "NO") {
        plan.assume("parallel.zero", std::int64_t{0}, "every GPU has a whole replica");
        read_mesh(keys, plan);
    } else {
        plan.not_understood("distributed_type", kind, "no such engine is known; read as plain replicas");
    }
    static constexpr std::array kPrecisions = {std::pair{"fp16", "fp16"}, std::pair{"bf16", "bf16"},
                                               std::pair{"fp8", "fp8"}, std::pair{"no", "fp32"}};
    // `no` without quotes is false in YAML.
    const Json* written = keys.find("mixed_precision");
    if (written && written->is_boolean() && !written->get<bool>()) {
        keys.take_as("mixed_precision", "training.precision", std::string("fp32"));
    } else if (const auto precision = keys.text("mixed_precision")) {
        bool known = false;
        for (const auto& [word, plan_word] : kPrecisions)
            if (*precision == word)
                known = keys.take_as("mixed_precision", "training.precision", std::string(plan_word));
        if (!known) plan.not_understood("mixed_precision", *precision, "no, fp16, bf16 or fp8 is right");
    } else if (!keys.has("deepspeed_config.deepspeed_config_file")) {
        plan.assume("training.precision", std::string("fp32"), "accelerate's default mixed_precision no");
    }
    if (kind == "FSDP" || kind == "DEEPSPEED" ||
        (kind == "MEGATRON_LM" && plan.value("training.precision") == FieldValue(std::string("fp16"))))
        assume_gradient_precision(plan);
    else
        plan.assume("training.gradient_dtype", std::string("fp32"), "gradients are reduced in fp32");
    if (keys.integer("num_machines").value_or(1) > 1 && !plan.has("cluster.node"))
        plan.missing("cluster.node", "a preset with the GPUs of one of the {0} machines",
                     {keys.shown("num_machines")}, "num_machines", keys.shown("num_machines"));
    for (const char* path :
         {"model", "training.sequence_length", "training.micro_batch_size", "training.global_batch_size"})
        if (!plan.has(path) && !plan.has_note(ImportNote::Kind::missing, path))
            plan.missing(path, kInProgram);
    keys.ignore({"compute_environment", "debug", "downcast_bf16", "enable_cpu_affinity", "machine_rank",
                 "main_process_ip", "main_process_port", "main_training_function", "rdzv_backend",
                 "same_network", "tpu_env", "tpu_use_cluster", "tpu_use_sudo", "use_cpu", "gpu_ids",
                 "dynamo_config.*", "fp8_config.*", "num_machines", "mpirun_config.*"});
    keys.finish();
    return {};
}

} // namespace shardlens::launchers
