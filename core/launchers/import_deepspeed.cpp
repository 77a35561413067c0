// SPDX-License-Identifier: GPL-3.0-or-later
// DeepSpeed's JSON (deepspeed/runtime/config.py, zero/config.py): batch, precision, ZeRO, offload and the
// degrees that it can name. World, pipeline and model are built in the user's program.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launchers/batch_arithmetic.h"
#include "launchers/deepspeed_import.h"
#include "launchers/import_documents.h"
#include "launchers/import_keys.h"
#include "launchers/readers.h"
#include "json/strict_json.h"

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;

/// Top-level keys that DeepSpeed knows; it ignores every other one without a word.
constexpr std::array<std::string_view, 62> kTopLevel = {"train_batch_size",
                                                        "train_micro_batch_size_per_gpu",
                                                        "gradient_accumulation_steps",
                                                        "optimizer",
                                                        "scheduler",
                                                        "fp16",
                                                        "bf16",
                                                        "bfloat16",
                                                        "amp",
                                                        "zero_optimization",
                                                        "gradient_clipping",
                                                        "steps_per_print",
                                                        "wall_clock_breakdown",
                                                        "dump_state",
                                                        "activation_checkpointing",
                                                        "pipeline",
                                                        "tensor_parallel",
                                                        "expert_parallel",
                                                        "sequence_parallel_size",
                                                        "data_parallel_size",
                                                        "data_types",
                                                        "communication_data_type",
                                                        "prescale_gradients",
                                                        "gradient_predivide_factor",
                                                        "sparse_gradients",
                                                        "zero_allow_untested_optimizer",
                                                        "zero_force_ds_cpu_optimizer",
                                                        "tensorboard",
                                                        "wandb",
                                                        "csv_monitor",
                                                        "comet",
                                                        "flops_profiler",
                                                        "comms_logger",
                                                        "aio",
                                                        "compile",
                                                        "hybrid_engine",
                                                        "data_efficiency",
                                                        "curriculum_learning",
                                                        "sparse_attention",
                                                        "elasticity",
                                                        "checkpoint",
                                                        "compression_training",
                                                        "autotuning",
                                                        "nebula",
                                                        "eigenvalue",
                                                        "progressive_layer_drop",
                                                        "memory_breakdown",
                                                        "disable_allgather",
                                                        "load_universal_checkpoint",
                                                        "use_node_local_storage",
                                                        "seq_parallel_communication_data_type",
                                                        "use_data_before_expert_parallel_",
                                                        "gradient_accumulation_dtype",
                                                        "graph_harvesting",
                                                        "dataloader_drop_last",
                                                        "weight_quantization_config",
                                                        "fp32_allreduce",
                                                        "zero_quantized_weights",
                                                        "legacy_fusion",
                                                        "datastates_ckpt",
                                                        "checkpoint_engine",
                                                        "torch_autocast"};

/// Values that the Hugging Face trainer fills in (transformers, integrations/deepspeed.py).
constexpr std::array<std::string_view, 20> kFilledIn = {
    "train_batch_size",
    "train_micro_batch_size_per_gpu",
    "gradient_accumulation_steps",
    "gradient_clipping",
    "fp16.enabled",
    "bf16.enabled",
    "fp16.fp16_opt_level",
    "amp.enabled",
    "amp.opt_level",
    "optimizer.params.lr",
    "optimizer.params.betas",
    "optimizer.params.eps",
    "optimizer.params.weight_decay",
    "scheduler.params.warmup_min_lr",
    "scheduler.params.warmup_max_lr",
    "scheduler.params.warmup_num_steps",
    "scheduler.params.total_num_steps",
    "zero_optimization.reduce_bucket_size",
    "zero_optimization.stage3_prefetch_bucket_size",
    "zero_optimization.stage3_param_persistence_threshold"};

/// Every "auto": noted with who fills it in, and unset from here on.
void note_autos(Json& value, Imported& plan, const std::string& path, int depth = 0) {
    if (value.is_object()) {
        for (auto& [key, member] : value.items())
            note_autos(member, plan, path.empty() ? key : fmt::format("{}.{}", path, key), depth + 1);
        return;
    }
    if (!value.is_string() || value.get_ref<const std::string&>() != "auto") return;
    value = nullptr;
    if (path == "pipeline.stages") return; // its own default, and read by nothing
    if (std::find(kFilledIn.begin(), kFilledIn.end(), path) != kFilledIn.end())
        plan.warn(path, "auto",
                  "the Hugging Face trainer fills it in from its arguments; without that trainer a value "
                  "must stand "
                  "here");
    else
        plan.not_understood(path, "auto", "no program fills this one in; a value is right");
}

void note_unknown(const Json& document, Imported& plan) {
    for (const auto& [key, member] : document.items()) {
        if (key == "launcher") continue; // our own export's
        if (std::find(kTopLevel.begin(), kTopLevel.end(), key) != kTopLevel.end()) continue;
        const std::string near = nearest(key, kTopLevel);
        if (near.empty())
            plan.not_understood(key, shown_value(member), "no key of DeepSpeed, which ignores it");
        else
            plan.not_understood(key, shown_value(member),
                                "no key of DeepSpeed, which ignores it; did you mean {0}?", {near});
    }
}

void read_degrees(KeyReader& keys, Imported& plan) {
    if (!keys.take_integer(
            {"tensor_parallel.autotp_size", "tensor_parallel.tp.tp_size", "tensor_parallel.tp_size"},
            "parallel.tensor") &&
        !plan.has("parallel.tensor"))
        plan.missing("parallel.tensor",
                     "tensor parallelism of an mpu is built in the program; 1 unless it is set");
    if (!plan.has("parallel.pipeline"))
        plan.missing("parallel.pipeline", "the pipeline is built in the program; 1 unless it is set");
    keys.ignore({"pipeline.*", "tensor_parallel.*"});
    if (keys.take_integer("sequence_parallel_size", "parallel.context") &&
        plan.integer("parallel.context").value_or(1) > 1)
        plan.assume("parallel.context_kind", std::string("ulysses"),
                    "DeepSpeed splits sequences by Ulysses only");
    if (keys.flag("expert_parallel.enabled").value_or(false))
        keys.take_integer("expert_parallel.autoep_size", "parallel.expert");
    keys.ignore({"expert_parallel.*"});
}

void read_batch(KeyReader& keys, Imported& plan) {
    keys.take_integer("train_micro_batch_size_per_gpu", "training.micro_batch_size");
    auto accumulation = keys.integer("gradient_accumulation_steps");
    const bool whole = keys.take_integer("train_batch_size", "training.global_batch_size");
    const auto micro = plan.integer("training.micro_batch_size");
    const std::int64_t tensor = std::max<std::int64_t>(plan.integer("parallel.tensor").value_or(1), 1);
    const std::int64_t context = std::max<std::int64_t>(plan.integer("parallel.context").value_or(1), 1);
    const std::int64_t pipeline = std::max<std::int64_t>(plan.integer("parallel.pipeline").value_or(1), 1);

    // With both Ulysses keys their product is the world; alone, data_parallel_size says nothing of it.
    if (const auto replicas = keys.integer("data_parallel_size");
        replicas && keys.has("sequence_parallel_size") && *replicas > 0 && *replicas < 100'000'000)
        keys.take_as({"data_parallel_size"}, "cluster.gpus", *replicas * context,
                     "times sequence_parallel_size");
    const auto gpus = plan.integer("cluster.gpus");
    std::optional<std::int64_t> data = plan.integer("parallel.data");
    const double ranks =
        static_cast<double>(tensor) * static_cast<double>(context) * static_cast<double>(pipeline);
    if (!data && gpus && ranks <= static_cast<double>(*gpus) && *gpus % static_cast<std::int64_t>(ranks) == 0)
        data = *gpus / static_cast<std::int64_t>(ranks);

    const bool auto_tp = keys.has("tensor_parallel.autotp_size") && tensor > 1;
    if (whole && auto_tp)
        plan.warn("train_batch_size", keys.shown("train_batch_size"),
                  "with autotp_size DeepSpeed compares it with micro batch · accumulation · all GPUs, unless "
                  "an mpu is "
                  "handed over: the true batch may be {0} times smaller",
                  {std::to_string(tensor)});
    const auto global = plan.integer("training.global_batch_size");
    // A key that is left out, not one that another program fills in ("auto", null here).
    const auto left_out = [&](const char* key) { return !keys.has(key) && !keys.is_null(key); };
    if (left_out("gradient_accumulation_steps") &&
        ((whole && !micro && left_out("train_micro_batch_size_per_gpu")) ||
         (!global && left_out("train_batch_size") && keys.has("train_micro_batch_size_per_gpu"))))
        accumulation = 1; // DeepSpeed's own where one of the three is given
    constexpr std::int64_t kMost = 2147483647;
    const auto sane = [](std::optional<std::int64_t> n) { return n && *n > 0 && *n <= kMost; };
    if (whole && !auto_tp && !data && sane(micro) && sane(accumulation) && sane(global)) {
        const std::int64_t per_rank = *micro * *accumulation;
        if (*global % per_rank == 0)
            keys.take_as({"train_batch_size"}, "parallel.data", *global / per_rank,
                         "over train_micro_batch_size_per_gpu · gradient_accumulation_steps");
        else
            plan.warn("train_batch_size", keys.shown("train_batch_size"),
                      "is no multiple of micro batch · accumulation = {0}: DeepSpeed refuses it",
                      {std::to_string(per_rank)});
    }
    if (whole && !auto_tp && sane(data) && sane(micro) && sane(global) &&
        (!accumulation || sane(accumulation)) && !complete_batch({global, micro, accumulation}, *data)) {
        if (accumulation)
            plan.warn(
                "train_batch_size", keys.shown("train_batch_size"),
                "micro batch {0} · accumulation {1} · {2} data ranks = {3}, not {4}: DeepSpeed refuses it",
                {std::to_string(*micro), std::to_string(*accumulation), std::to_string(*data),
                 fmt::format("{:.0f}", static_cast<double>(*micro) * static_cast<double>(*accumulation) *
                                           static_cast<double>(*data)),
                 std::to_string(*global)});
        else
            plan.warn("train_batch_size", keys.shown("train_batch_size"),
                      "is no multiple of micro batch {0} · {1} data ranks: DeepSpeed refuses it",
                      {std::to_string(*micro), std::to_string(*data)});
    }
    if (!whole && sane(micro) && sane(accumulation)) {
        if (sane(data) && *micro * *accumulation <= kMost && keys.has("gradient_accumulation_steps"))
            keys.take_as({"gradient_accumulation_steps"}, "training.global_batch_size",
                         *micro * *accumulation * *data, "times micro batch times {0} replicas",
                         {std::to_string(*data)});
        else if (sane(data) && *micro * *accumulation <= kMost)
            keys.take_as("train_micro_batch_size_per_gpu", "training.global_batch_size", *micro * *data,
                         "times {0} replicas; gradient_accumulation_steps is 1 where it is left out",
                         {std::to_string(*data)});
        else
            plan.missing("training.global_batch_size",
                         "micro batch {0} · accumulation {1} · replicas: give cluster.gpus and it follows",
                         {std::to_string(*micro), std::to_string(*accumulation)});
    }
    if (whole && !micro && sane(accumulation) && sane(data) && sane(global) && !auto_tp) {
        const auto parts = complete_batch({global, std::nullopt, accumulation}, *data);
        if (parts && keys.has("gradient_accumulation_steps"))
            keys.take_as({"train_batch_size"}, "training.micro_batch_size", *parts->micro,
                         "over accumulation and replicas");
        else if (parts)
            keys.take_as({"train_batch_size"}, "training.micro_batch_size", *parts->micro,
                         "over {0} replicas; gradient_accumulation_steps is 1 where it is left out",
                         {std::to_string(*data)});
        else
            plan.warn("train_batch_size", keys.shown("train_batch_size"),
                      "is no multiple of accumulation {0} · {1} data ranks: DeepSpeed refuses it",
                      {std::to_string(*accumulation), std::to_string(*data)});
    } else if (whole && !micro && sane(accumulation) && !sane(data)) {
        plan.missing("training.micro_batch_size",
                     "train_batch_size over accumulation {0} and replicas: give cluster.gpus and it follows",
                     {std::to_string(*accumulation)});
    }
    if (!plan.has("cluster.gpus"))
        plan.missing("cluster.gpus", "the world is not in this file: replicas · tensor · context · pipeline");
}

void read_precision(KeyReader& keys, Imported& plan) {
    const auto enabled = [&](const char* section) -> std::optional<bool> {
        const auto* value = keys.peek(section);
        if (value && value->is_boolean()) return keys.flag(section);
        return keys.flag(std::string(section) + ".enabled");
    };
    const auto fp16 = enabled("fp16");
    auto bf16 = enabled("bf16");
    if (!bf16) bf16 = enabled("bfloat16");
    const auto unknown = [&](const char* section) {
        const auto* object = keys.peek(section);
        return keys.is_null(section) || keys.is_null(std::string(section) + ".enabled") ||
               (object && object->is_object() && !object->contains("enabled"));
    };
    std::string dtype = "fp32";
    if (fp16.value_or(false) && bf16.value_or(false)) {
        plan.warn("fp16, bf16", "both enabled", "exclude each other: DeepSpeed refuses the file");
        plan.missing("training.precision", "fp16 and bf16 are both on; one of them is right");
        dtype.clear();
    } else if (fp16.value_or(false)) {
        plan.read("training.precision", dtype = "fp16", "fp16.enabled", "true");
    } else if (bf16.value_or(false)) {
        plan.read("training.precision", dtype = "bf16", "bf16.enabled", "true");
    } else if (unknown("fp16") || unknown("bf16")) {
        if (unknown("fp16") && unknown("bf16"))
            plan.warn("fp16, bf16", "auto", "both are left open: only one may end up on");
        plan.missing("training.precision", "left to the program; bf16 unless it is set");
        dtype.clear();
    } else {
        plan.assume("training.precision", dtype, "neither fp16 nor bf16 is enabled");
    }
    if (!keys.take_text("data_types.grad_accum_dtype", "training.gradient_dtype") && !dtype.empty())
        plan.assume("training.gradient_dtype", dtype, "grad_accum_dtype is left out: the training precision");
    keys.ignore({"fp16.*", "bf16.*", "bfloat16.*", "data_types.*"});
}

void read_optimizer(KeyReader& keys) {
    const auto type = keys.text("optimizer.type");
    keys.ignore({"optimizer.params.*"});
    if (!type) return;
    std::string lower = *type;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const std::pair<const char*, const char*> known[] = {
        {"adam", "adamw"}, {"adamw", "adamw"}, {"fusedadam", "adamw"},    {"deepspeedcpuadam", "adamw"},
        {"sgd", "sgd"},    {"muon", "muon"},   {"adafactor", "adafactor"}};
    for (const auto& [name, value] : known)
        if (lower == name) {
            keys.take_as("optimizer.type", "training.optimizer", std::string(value));
            return;
        }
    keys.outside("optimizer.type",
                 "no such optimizer in a plan: adamw, sgd, adafactor, muon and adamw-8bit are");
}

void read_zero(KeyReader& keys, Imported& plan) {
    if (!keys.take_integer("zero_optimization.stage", "parallel.zero")) {
        const Json* stage = keys.find("zero_optimization.stage");
        if (stage && stage->is_number())
            plan.needs("parallel.zero", "zero_optimization.stage is none of 0 to 3");
        else if (!stage && keys.flag("zero_optimization") == true)
            keys.take_as("zero_optimization", "parallel.zero", std::int64_t{1}, "the old form: true");
        else if (!keys.is_null("zero_optimization.stage"))
            plan.assume("parallel.zero", std::int64_t{0}, "default of zero_optimization.stage");
    }
    const std::int64_t stage = plan.integer("parallel.zero").value_or(0);
    if (!keys.take_flag("zero_optimization.overlap_comm", "overlap.grad_reduce") && stage > 0)
        plan.assume("overlap.grad_reduce", stage == 3, "default of overlap_comm: on for stage 3 only");
    const auto device = [&](const char* section, const char* old, const char* path) {
        const Names name(fmt::format("zero_optimization.{}.device", section));
        if (const auto text = keys.text(name)) {
            keys.take_as(name, path, *text);
        } else if (const auto on = keys.flag(Names(fmt::format("zero_optimization.{}", old)))) {
            plan.warn(fmt::format("zero_optimization.{}", old), *on ? "true" : "false",
                      "a deprecated key; {0}.device is the one of today", {section});
            if (*on) keys.take_as(Names(fmt::format("zero_optimization.{}", old)), path, std::string("cpu"));
        }
        keys.ignore({fmt::format("zero_optimization.{}.*", section).c_str()});
    };
    device("offload_optimizer", "cpu_offload", "memory.offload_optimizer");
    if (!keys.has("zero_optimization.cpu_offload_params"))
        device("offload_param", "cpu_offload_param", "memory.offload_parameters");
    else
        device("offload_param", "cpu_offload_params", "memory.offload_parameters");
    if (const auto ratio = keys.number("zero_optimization.offload_optimizer.ratio"); ratio && *ratio < 1)
        keys.outside("zero_optimization.offload_optimizer.ratio",
                     "a plan offloads all optimizer states or none");
    if (keys.integer("zero_optimization.mics_shard_size").value_or(-1) > 0)
        keys.take_integer("zero_optimization.mics_shard_size", "parallel.shard_group");
    if (keys.integer("zero_optimization.zero_hpz_partition_size").value_or(1) > 1)
        keys.outside("zero_optimization.zero_hpz_partition_size",
                     "a second copy of the parameters in a group of ranks has no form in a plan");
    if (keys.flag("zero_optimization.zero_quantized_weights").value_or(false))
        keys.outside("zero_optimization.zero_quantized_weights",
                     "quantised communication has no form in a plan");
    if (keys.flag("zero_optimization.zero_quantized_gradients").value_or(false))
        keys.outside("zero_optimization.zero_quantized_gradients",
                     "quantised communication has no form in a plan");
    keys.ignore({"zero_optimization.cpu_offload_use_pin_memory",
                 "zero_optimization.contiguous_gradients",
                 "zero_optimization.reduce_scatter",
                 "zero_optimization.reduce_bucket_size",
                 "zero_optimization.allgather_partitions",
                 "zero_optimization.allgather_bucket_size",
                 "zero_optimization.stage3_prefetch_bucket_size",
                 "zero_optimization.stage3_param_persistence_threshold",
                 "zero_optimization.stage3_max_live_parameters",
                 "zero_optimization.stage3_max_reuse_distance",
                 "zero_optimization.sub_group_size",
                 "zero_optimization.stage3_gather_16bit_weights_on_model_save",
                 "zero_optimization.stage3_gather_fp16_weights_on_model_save",
                 "zero_optimization.round_robin_gradients",
                 "zero_optimization.ignore_unused_parameters",
                 "zero_optimization.load_from_fp32_weights",
                 "zero_optimization.elastic_checkpoint",
                 "zero_optimization.legacy_stage1",
                 "zero_optimization.mics_hierarchical_params_gather",
                 "zero_optimization.memory_efficient_linear",
                 "zero_optimization.find_unused_parameters",
                 "zero_optimization.model_persistence_threshold",
                 "zero_optimization.use_multi_rank_bucket_allreduce",
                 "zero_optimization.log_trace_cache_warnings"});
}

void read_checkpointing(KeyReader& keys, Imported& plan) {
    const auto* section = keys.peek("activation_checkpointing");
    if (!section) return;
    if (!plan.has("memory.recompute"))
        plan.missing(
            "memory.recompute",
            "activation_checkpointing says how, not which layers: the program wraps them; none unless it is "
            "set",
            {}, "activation_checkpointing", "{…}");
    if (keys.flag("activation_checkpointing.cpu_checkpointing").value_or(false))
        keys.take_as("activation_checkpointing.cpu_checkpointing", "memory.offload_activations",
                     std::string("cpu"));
    if (keys.flag("activation_checkpointing.partition_activations").value_or(false))
        keys.outside("activation_checkpointing.partition_activations",
                     "checkpoints split over tensor ranks have no form in a plan");
    keys.ignore({"activation_checkpointing.*"});
}

} // namespace

void read_deepspeed_sections(KeyReader& keys, Imported& plan) {
    read_batch(keys, plan);
    read_precision(keys, plan);
    read_optimizer(keys);
    read_zero(keys, plan);
    read_checkpointing(keys, plan);
}

int looks_like_deepspeed(std::string_view text, std::string_view file_name) {
    int score = 0;
    for (const char* key :
         {"\"zero_optimization\"", "\"train_micro_batch_size_per_gpu\"", "\"train_batch_size\"",
          "\"offload_optimizer\"", "\"gradient_accumulation_steps\""})
        if (text.find(key) != std::string_view::npos) score += 30;
    const bool named = file_name.find("ds_config") != std::string_view::npos ||
                       file_name.find("deepspeed") != std::string_view::npos;
    if (text.find('{') == std::string_view::npos) return 0;
    return std::min(90, named ? score + 30 : score);
}

Error read_deepspeed(std::string_view text, const std::string& origin, std::string_view version,
                     Imported& plan) {
    auto read = relaxed_object(text, origin, plan);
    if (!read) return read.error();
    Json document = *std::move(read);
    note_autos(document, plan, "");
    note_unknown(document, plan);
    KeyReader keys(document, plan);
    for (const auto& [key, member] : document.items())
        if (std::find(kTopLevel.begin(), kTopLevel.end(), key) == kTopLevel.end()) keys.ignore({key.c_str()});
    plan.assume("stack", std::string("deepspeed"), "the program that reads this file");
    plan.assume("target", fmt::format("deepspeed@{}", version), plan.version_reason());
    read_degrees(keys, plan);
    read_deepspeed_sections(keys, plan);
    // Logging, clipping, schedules of the rate and switches of the engine: nothing of a plan.
    for (const std::string_view key : kTopLevel) {
        const bool of_plan = key == "zero_optimization" || key == "communication_data_type" ||
                             key == "optimizer" || key == "sparse_attention" || key == "compile" ||
                             key == "activation_checkpointing";
        if (!of_plan) keys.ignore({std::string(key).c_str()});
    }
    keys.outside("communication_data_type", "gradients travel in the plan's gradient dtype");
    keys.outside("compile", "compilation belongs to the stack of a plan");
    keys.finish();
    return {};
}

} // namespace shardlens::launchers
