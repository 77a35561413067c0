// SPDX-License-Identifier: GPL-3.0-or-later
// torchtitan's TOML (up to 0.2.2, with the names of older releases) and the Python configurations of main.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "launchers/import_documents.h"
#include "launchers/python_calls.h"
#include "launchers/read_rows.h"
#include "launchers/readers.h"
#include "launchers/torchtitan.h"
#include "plan/fields.h"
#include "json/text.h"

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;

/// The parsed form of a larger file would fill the memory.
constexpr std::size_t kMostPythonBytes = std::size_t{1} << 20;

/// Names of the tree of late 2024 and of 0.1.0.
const std::vector<OldNames>& old_names() {
    static const std::vector<OldNames> kOld = {
        {"training.local_batch_size", {"training.batch_size"}},
        {"parallelism.data_parallel_replicate_degree",
         {"training.data_parallel_replicate_degree", "experimental.data_parallel_replicate_degree"}},
        {"parallelism.data_parallel_shard_degree",
         {"training.data_parallel_shard_degree", "training.data_parallel_degree"}},
        {"parallelism.tensor_parallel_degree", {"training.tensor_parallel_degree"}},
        {"parallelism.pipeline_parallel_degree", {"experimental.pipeline_parallel_degree"}},
        {"parallelism.pipeline_parallel_schedule", {"experimental.pipeline_parallel_schedule"}},
        {"parallelism.pipeline_parallel_microbatches", {"experimental.pipeline_parallel_microbatches"}},
        {"parallelism.context_parallel_degree", {"experimental.context_parallel_degree"}},
        {"parallelism.context_parallel_rotate_method", {"experimental.context_parallel_rotate_method"}},
        {"compile.enable", {"training.compile"}},
    };
    return kOld;
}

Names named(const char* key) { return names_of(key, old_names()); }

std::int64_t bounded(std::optional<std::int64_t> value, std::int64_t otherwise) {
    return value && *value >= 1 && *value <= 10'000'000 ? *value : otherwise;
}

/// Product that stops at the largest number instead of overflowing.
std::int64_t times(std::initializer_list<std::int64_t> factors) {
    std::int64_t result = 1;
    for (const std::int64_t factor : factors)
        if (__builtin_mul_overflow(result, factor, &result)) return std::numeric_limits<std::int64_t>::max();
    return result;
}

void read_model(KeyReader& keys, Imported& plan) {
    const auto family = keys.text("model.name"), flavor = keys.text(named("model.flavor"));
    if (!flavor) return;
    for (const TorchtitanFlavor& row : torchtitan_flavors())
        if (*flavor == row.name && family.value_or("llama3") == row.family) {
            keys.take_as("model.flavor", "model", std::string(row.preset), "the preset of the same shape");
            return;
        }
    if (!plan.has("model.layers"))
        plan.missing("model", "flavor {0} of {1} is not known; name a preset or give a shape",
                     {*flavor, family.value_or("llama3")}, "model.flavor", *flavor);
}

/// Without expert ranks every expert lies on the tensor ranks, whatever degree the file gives.
void read_expert_tensor(KeyReader& keys, Imported& plan) {
    const std::int64_t tensor = integer_or(plan, "parallel.tensor", 1);
    if (tensor == 1 || integer_or(plan, "parallel.expert", 1) != 1) return;
    std::optional<bool> experts;
    if (const auto preset = plan.value("model"); preset && std::holds_alternative<std::string>(*preset))
        experts = torchtitan_has_experts(std::get<std::string>(*preset));
    else if (plan.has("model.layers"))
        experts = plan.has("model.moe.experts");
    if (!experts.value_or(keys.has("parallelism.expert_parallel_degree"))) return;
    plan.drop("parallel.expert_tensor");
    const char* why = "without expert ranks torchtitan splits experts over the tensor ranks";
    if (const Names key = "parallelism.expert_tensor_parallel_degree"; keys.has(key))
        keys.take_as(key, "parallel.expert_tensor", tensor, why);
    else
        plan.assume("parallel.expert_tensor", tensor, why);
}

/// Data ranks and how they are sharded.
void read_data(KeyReader& keys, Imported& plan) {
    const Names shard_key = named("parallelism.data_parallel_shard_degree");
    const std::int64_t replicate =
        bounded(keys.integer(named("parallelism.data_parallel_replicate_degree")), 1);
    std::int64_t shard = keys.integer(shard_key).value_or(-1);
    const std::int64_t context = bounded(plan.integer("parallel.context"), 1);
    const std::int64_t others = times({bounded(plan.integer("parallel.tensor"), 1), context,
                                       bounded(plan.integer("parallel.pipeline"), 1)});
    const auto gpus = plan.integer("cluster.gpus");
    if (shard == -1 && gpus && *gpus % times({others, replicate}) == 0)
        shard = *gpus / times({others, replicate});
    const bool sharded = shard != 1 || context > 1;
    if (sharded) {
        if (!plan.has("parallel.zero")) { // "default" or left out
            const bool pipeline = integer_or(plan, "parallel.pipeline", 1) > 1;
            plan.assume("parallel.zero", pipeline ? std::int64_t{2} : std::int64_t{3},
                        pipeline ? "torchtitan keeps parameters after the forward where there is a pipeline"
                                 : "torchtitan reshards parameters after the forward");
        }
    } else {
        plan.drop("parallel.zero");
        plan.assume("parallel.zero", std::int64_t{0}, "nothing is sharded: shard and context degree are 1");
    }
    if (shard < 1 || shard > 10'000'000) {
        plan.missing("cluster.gpus", "the shard degree takes the rest of the ranks: how many are there?", {},
                     keys.key(shard_key), keys.shown(shard_key));
        return;
    }
    keys.take_as(shard_key, "parallel.data", replicate * shard, "replicate · shard degree");
    if (sharded && replicate > 1)
        keys.take_as(shard_key, "parallel.shard_group", shard * context, "shard · context degree");
    if (!gpus && replicate * shard <= 10'000'000)
        keys.take_as(shard_key, "cluster.gpus", times({others, replicate, shard}),
                     "the product of the degrees");
}

void read_batch(KeyReader& keys, Imported& plan) {
    const bool pipeline = integer_or(plan, "parallel.pipeline", 1) > 1;
    const auto sequence = plan.integer("training.sequence_length");
    const Names tokens = "training.num_tokens_per_microbatch_per_dp_rank";
    const Names step = "training.num_tokens_per_train_step", local = named("training.local_batch_size");
    const auto data = plan.integer("parallel.data");
    if (keys.find(tokens)) {
        const auto count = keys.integer(tokens);
        if (!count || !sequence || *sequence < 1 || *count % *sequence != 0) {
            plan.not_understood(keys.key(tokens), keys.shown(tokens),
                                "no whole number of sequences of max_context_length");
            return;
        }
        keys.take_as(tokens, "training.micro_batch_size", *count / *sequence,
                     "tokens over max_context_length");
        const auto all = keys.integer(step);
        const std::int64_t at_once =
            pipeline ? bounded(keys.integer("parallelism.num_pp_microbatches"), 1) : 1;
        if (all && *all > 0 && *all % *sequence == 0)
            keys.take_as(step, "training.global_batch_size", *all / *sequence,
                         "tokens over max_context_length");
        else if (data && *data <= 10'000'000 && *count / *sequence <= 10'000'000)
            plan.assume("training.global_batch_size", times({*count / *sequence, at_once, *data}),
                        "torchtitan's default: one round of micro-batches on every data rank");
        return;
    }
    const auto batch = keys.integer(local);
    if (!batch) return;
    const auto pieces = keys.integer(named("parallelism.pipeline_parallel_microbatches"));
    const auto size = keys.integer("parallelism.pipeline_parallel_microbatch_size");
    if (!pipeline)
        keys.take_as(local, "training.micro_batch_size", *batch);
    else if (pieces && *pieces > 0 && *batch % *pieces == 0)
        keys.take_as(named("parallelism.pipeline_parallel_microbatches"), "training.micro_batch_size",
                     *batch / *pieces, "local batch over its micro-batches");
    else if (size)
        keys.take_as("parallelism.pipeline_parallel_microbatch_size", "training.micro_batch_size", *size);
    else if (const std::int64_t stages = integer_or(plan, "parallel.pipeline", 1);
             keys.key(local) == "training.batch_size" && *batch > 0 && *batch % stages == 0)
        keys.take_as(local, "training.micro_batch_size", *batch / stages,
                     "over {0} micro-batches: as many as pipeline ranks were its default then",
                     {std::to_string(stages)});
    else
        plan.assume("training.micro_batch_size", std::int64_t{1},
                    "torchtitan's default micro-batch of a pipeline");
    const auto all = keys.integer("training.global_batch_size");
    if (all && *all > 0)
        keys.take_integer("training.global_batch_size", "training.global_batch_size");
    else if (data && *data <= 10'000'000 && *batch <= 10'000'000 && keys.key(local) == "training.batch_size")
        keys.take_as(local, "training.global_batch_size", *batch * *data, "times {0} data ranks",
                     {std::to_string(*data)});
    else if (data && *data <= 10'000'000 && *batch <= 10'000'000)
        plan.assume("training.global_batch_size", *batch * *data,
                    "torchtitan's default: local batch · data ranks");
}

/// Chunks of each stage rank and the layers in them.
void read_stages(KeyReader& keys, Imported& plan) {
    const std::int64_t pipeline = integer_or(plan, "parallel.pipeline", 1);
    const Names key = named("parallelism.pipeline_parallel_schedule");
    static constexpr std::array kSchedules = {
        std::pair{"1F1B", "1f1b"},
        std::pair{"GPipe", "gpipe"},
        std::pair{"Interleaved1F1B", "interleaved"},
        std::pair{"LoopedBFS", "bfs"},
        std::pair{"InterleavedZeroBubble", "interleaved-zb"},
        std::pair{"ZBVZeroBubble", "zb-v"},
        std::pair{"DualPipeV", "dualpipe-v"},
        std::pair{"FlexibleInterleaved1F1B", "interleaved"},
    };
    const std::string written = keys.text(key).value_or("1F1B");
    const auto weight = [&](const char* name) {
        const std::int64_t layers = keys.integer(name).value_or(1);
        return layers >= 0 && layers <= 100'000 ? layers : 1;
    };
    const std::int64_t first = weight("parallelism.pipeline_parallel_first_stage_less_layers");
    const std::int64_t last = weight("parallelism.pipeline_parallel_last_stage_less_layers");
    const auto per_stage = keys.integer("parallelism.pipeline_parallel_layers_per_stage");
    const Json* modules = keys.find("parallelism.module_fqns_per_model_part");
    keys.ignore({"parallelism.module_fqns_per_model_part.*"});
    if (pipeline < 2) return;
    const auto lower = [](std::string text) {
        for (char& c : text)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        return text;
    };
    std::string schedule = "1f1b";
    bool several = false, known = false;
    for (const auto& [name, plan_name] : kSchedules)
        if (lower(name) == lower(written)) {
            schedule = plan_name;
            several = torchtitan_runs_several(name);
            known = true;
        }
    if (!known) plan.not_understood(keys.key(key), written, "no such schedule is known; read as 1f1b");
    if (keys.find(key))
        keys.take_as(key, "parallel.schedule", schedule);
    else
        plan.assume("parallel.schedule", std::string("1f1b"), "torchtitan's default schedule");
    std::vector<std::int64_t> split;
    if (modules && modules->is_array()) {
        for (const Json& stage : *modules) {
            std::int64_t layers = 0;
            if (stage.is_array())
                for (const Json& name : stage)
                    layers += name.is_string() && name.get_ref<const std::string&>().starts_with("layers.");
            split.push_back(layers);
        }
        if (split.empty() || static_cast<std::int64_t>(split.size()) % pipeline != 0) {
            plan.not_understood("parallelism.module_fqns_per_model_part",
                                fmt::format("{} stages", split.size()),
                                "not a whole number of stages for every rank");
            return;
        }
        const auto chunks = static_cast<std::int64_t>(split.size()) / pipeline;
        keys.take_as("parallelism.module_fqns_per_model_part", "parallel.virtual_pipeline", chunks);
        keys.take_as("parallelism.module_fqns_per_model_part", "parallel.layers_per_stage", split);
        return;
    }
    std::int64_t layers = integer_or(plan, "model.layers", 0);
    if (const auto preset = plan.value("model"); preset && std::holds_alternative<std::string>(*preset))
        layers = torchtitan_layers(std::get<std::string>(*preset));
    std::int64_t chunks = several ? 2 : 1;
    if (per_stage && *per_stage > 0 && *per_stage <= 1'000'000) {
        const std::int64_t all = layers + first + last;
        const std::int64_t stages = (all + *per_stage - 1) / *per_stage;
        if (layers == 0 || stages % pipeline != 0) {
            plan.not_understood("parallelism.pipeline_parallel_layers_per_stage",
                                keys.shown("parallelism.pipeline_parallel_layers_per_stage"),
                                layers == 0 ? "the stages follow from the model's layers, which are not known"
                                            : "not a whole number of stages for every rank");
            return;
        }
        chunks = stages / pipeline;
        keys.take_as("parallelism.pipeline_parallel_layers_per_stage", "parallel.virtual_pipeline", chunks);
    } else if (several) {
        plan.assume("parallel.virtual_pipeline", chunks,
                    "torchtitan's default for schedules of several stages");
    }
    if (layers == 0 || chunks * pipeline > layers + 2) return;
    split = torchtitan_deal(layers, chunks * pipeline, first, last);
    if (!split.empty())
        plan.assume("parallel.layers_per_stage", split,
                    "as torchtitan deals layers out, embedding and head counted");
}

/// selective_ac_option: "op", or n for every n-th layer as a whole.
void read_selective(KeyReader& keys, Imported& plan) {
    const Names key = "activation_checkpoint.selective_ac_option";
    const Json* option = keys.find(key);
    if (!option || plan.value("memory.recompute") != FieldValue(std::string("selective"))) return;
    if (!option->is_string() || number_from_text(option->get_ref<const std::string&>()))
        keys.outside(key,
                     "every layer of that number is recomputed whole, which has no form in a plan; read as "
                     "its choice of operators");
}

void read_rest(KeyReader& keys, Imported& plan) {
    if (keys.flag(named("compile.enable")).value_or(false))
        keys.take_as(named("compile.enable"), "stack", std::string("torchtitan-compile"));
    else
        plan.assume("stack", std::string("torchtitan"), "the file is torchtitan's");
    if (const auto* converters = keys.find("model.converters"); converters && converters->is_array()) {
        const std::string all = converters->dump();
        if (all.find("float8") != std::string::npos)
            keys.take_as("model.converters", "training.precision", std::string("fp8"));
        else if (all.find(".mx") != std::string::npos)
            keys.take_as("model.converters", "training.precision", std::string("mxfp8"));
        keys.ignore({"model.converters.*"});
    }
    if (keys.flag("float8.enable_float8_linear").value_or(false))
        keys.take_as("float8.enable_float8_linear", "training.precision", std::string("fp8"));
    if (!plan.has("training.precision"))
        plan.assume("training.precision", std::string("bf16"), "torchtitan's default mixed_precision_param");
    if (keys.flag("training.enable_cpu_offload").value_or(false)) {
        keys.take_as("training.enable_cpu_offload", "memory.offload_parameters", std::string("cpu"));
        keys.take_as("training.enable_cpu_offload", "memory.offload_optimizer", std::string("cpu"));
    }
    if (const auto optimizer = keys.text("optimizer.name");
        optimizer && *optimizer != "AdamW" && *optimizer != "Adam")
        plan.not_understood("optimizer.name", *optimizer, "read as adamw");
    keys.ignore({"job.*",
                 "profiling.*",
                 "metrics.*",
                 "optimizer.*",
                 "lr_scheduler.*",
                 "checkpoint.*",
                 "comm.*",
                 "validation.*",
                 "memory_estimation.*",
                 "fault_tolerance.*",
                 "debug.*",
                 "compile.components",
                 "compile.backend",
                 "quantize.*",
                 "float8.*",
                 "model.hf_assets_path",
                 "model.tokenizer_path",
                 "model.print_after_conversion",
                 "training.steps",
                 "training.dataset",
                 "training.dataset_path",
                 "training.max_norm",
                 "training.gc_freq",
                 "training.gc_debug",
                 "training.seed",
                 "training.deterministic",
                 "training.mixed_precision_reduce",
                 "training.disable_cuda_graphs",
                 "parallelism.disable_loss_parallel",
                 "parallelism.spmd_backend",
                 "parallelism.context_parallel_load_balancer",
                 "activation_checkpoint.early_stop",
                 "activation_checkpoint.preserve_rng_state",
                 "activation_checkpoint.per_op_sac_force_recompute_mm_shapes_by_fqns.*",
                 "parallelism.num_pp_microbatches",
                 "parallelism.pipeline_parallel_microbatch_size"});
}

void read_common(KeyReader& keys, Imported& plan) {
    read_rows(torchtitan_rows(), keys, plan, old_names());
    if (keys.text("parallelism.fsdp_reshard_after_forward") == "default") plan.drop("parallel.zero");
    read_model(keys, plan);
    read_expert_tensor(keys, plan);
    read_data(keys, plan);
    read_batch(keys, plan);
    read_stages(keys, plan);
    read_selective(keys, plan);
    read_rest(keys, plan);
}

/// Model keywords of main that its own builders take.
void collect_shape(const Json& keywords, Json& shape) {
    static constexpr std::array kKeys = {std::pair{"n_layers", "layers"},
                                         std::pair{"dim", "hidden"},
                                         std::pair{"n_heads", "heads"},
                                         std::pair{"n_kv_heads", "kv_heads"},
                                         std::pair{"head_dim", "head_dim"},
                                         std::pair{"hidden_dim", "ffn_hidden"},
                                         std::pair{"vocab_size", "vocab"},
                                         std::pair{"enable_weight_tying", "tied_embeddings"},
                                         std::pair{"moe_hidden_dim", "expert_ffn"},
                                         std::pair{"num_experts", "experts"},
                                         std::pair{"top_k", "top_k"}};
    for (const auto& [keyword, name] : kKeys)
        if (keywords.contains(keyword)) shape[name] = keywords[keyword];
}

void read_own_shape(const Json& shape, Imported& plan) {
    KeyReader keys(shape, plan, "shape");
    for (const char* name : {"layers", "hidden", "heads", "kv_heads", "head_dim", "ffn_hidden", "vocab"})
        keys.take_integer(name, fmt::format("model.{}", name));
    keys.take_flag("tied_embeddings", "model.tied_embeddings");
    for (const char* name : {"experts", "top_k", "expert_ffn"})
        keys.take_integer(name, fmt::format("model.moe.{}", name));
    plan.assume("model.gated_mlp", true, "torchtitan's builders make it so");
    if (plan.has("model.moe.experts"))
        plan.assume("model.qk_norm", std::string("per_head"), "torchtitan's Qwen3 builder makes it so");
    keys.finish();
}

bool ends_with(const std::string& name, std::string_view end) {
    return name.ends_with(end) && (name.size() == end.size() || name[name.size() - end.size() - 1] == '.');
}

} // namespace

int looks_like_torchtitan_toml(std::string_view text, std::string_view file_name) {
    const auto has = [&](const char* part) { return text.find(part) != std::string_view::npos; };
    const int toml = file_name.ends_with(".toml") ? 10 : 0;
    if (has("[parallelism]") || has("[activation_checkpoint]")) return 80 + toml;
    return has("[training]") && (has("seq_len") || has("_parallel_degree")) ? 60 + toml : 0;
}

Error read_torchtitan_toml(std::string_view text, const std::string& origin, std::string_view,
                           Imported& plan) {
    auto document = toml_document(text, origin);
    if (!document) return document.error();
    KeyReader keys(*document, plan);
    plan.assume("target", std::string("torchtitan@0.2.2"), "the last release with TOML");
    read_rows(torchtitan_toml_rows(), keys, plan, old_names());
    if (!keys.find("activation_checkpoint.mode"))
        plan.assume("memory.recompute", std::string("selective"), "torchtitan's default mode");
    read_common(keys, plan);
    if (integer_or(plan, "parallel.tensor", 1) > 1)
        plan.assume("parallel.sequence", true, "always on with tensor parallelism in torchtitan");
    if (integer_or(plan, "parallel.context", 1) > 1 && !plan.has("parallel.context_kind"))
        plan.assume("parallel.context_kind", std::string("allgather"), "torchtitan's default rotate method");
    keys.finish();
    return {};
}

int looks_like_torchtitan_python(std::string_view text, std::string_view) {
    const auto has = [&](const char* part) { return text.find(part) != std::string_view::npos; };
    if (!has("torchtitan")) return 0;
    return has("ParallelismConfig(") || has("TrainingConfig(") ? 95 : 0;
}

Error read_torchtitan_python(std::string_view text, const std::string& origin, std::string_view,
                             Imported& plan) {
    if (text.size() > kMostPythonBytes)
        return {one_line(origin, 200), "is larger than 1 MiB; a configuration of torchtitan is smaller"};
    Json document = Json::object(), shape = Json::object();
    std::string family = "llama3";
    for (const auto& row : torchtitan_flavors())
        if (text.find(fmt::format("torchtitan.models.{} import", row.family)) != std::string_view::npos)
            family = row.family;
    for (const PythonCall& call : python_calls(text)) {
        const Json keywords = Json::parse(call.keywords);
        const char* section = ends_with(call.name, "ParallelismConfig") ? "parallelism"
                              : ends_with(call.name, "TrainingConfig")  ? "training"
                              : ends_with(call.name, "CompileConfig")   ? "compile"
                                                                        : nullptr;
        const std::string line = fmt::format("line {}", call.line);
        if (section) {
            if (document.contains(section)) {
                plan.warn(line, call.name, "another such object: the first in the file counts");
                continue;
            }
            document[section] = keywords;
            for (const std::string& keyword : call.not_literal)
                plan.not_understood(fmt::format("{}.{}", section, keyword), line,
                                    "only literal values are read");
        } else if (ends_with(call.name, "model_registry") &&
                   !(document.contains("model") && document["model"].contains("name"))) {
            document["model"]["name"] = family;
            if (!call.positional.empty() && !call.positional.front().empty())
                document["model"]["flavor"] = Json::parse(call.positional.front());
            if (keywords.contains("flavor")) document["model"]["flavor"] = keywords["flavor"];
        } else if (ends_with(call.name, "FullAC.Config") || ends_with(call.name, "SelectiveAC.Config")) {
            document["activation_checkpoint"]["mode"] =
                call.name.find("FullAC") != std::string::npos ? "full" : "selective";
        } else if (call.name.find("LinearConverter.Config") != std::string::npos) {
            document["model"]["converters"].push_back(call.name.find("Float8") != std::string::npos ? "float8"
                                                      : call.name.find("MXFP8") != std::string::npos
                                                          ? "quantize.mx"
                                                          : "nvfp4");
        } else if (call.name.find("_build_") != std::string::npos ||
                   ends_with(call.name, "Llama3Model.Config") || ends_with(call.name, "Qwen3Model.Config")) {
            collect_shape(keywords, shape);
        }
    }
    KeyReader keys(document, plan);
    plan.assume("target", std::string("torchtitan@main"), "the file is a Python configuration");
    read_rows(torchtitan_main_rows(), keys, plan);
    keys.take_text("activation_checkpoint.mode", "memory.recompute");
    if (shape.contains("layers")) read_own_shape(shape, plan);
    read_common(keys, plan);
    if (integer_or(plan, "parallel.tensor", 1) > 1 && !plan.has("parallel.sequence"))
        plan.assume("parallel.sequence", true, "torchtitan's default enable_sequence_parallel");
    if (integer_or(plan, "parallel.context", 1) > 1)
        plan.assume("parallel.context_kind", std::string("allgather"),
                    "FlexAttention gathers keys and values");
    const Json* converters = keys.find("model.converters");
    if (converters && converters->dump().find("nvfp4") != std::string::npos)
        keys.take_as("model.converters", "training.precision", std::string("nvfp4"));
    keys.finish();
    return {};
}

} // namespace shardlens::launchers
