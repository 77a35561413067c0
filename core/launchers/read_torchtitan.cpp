// SPDX-License-Identifier: GPL-3.0-or-later
// Keys that torchtitan's TOML (up to 0.2.2, with the names of older releases) and the Python configurations
// of main have alike.
#include <limits>
#include <nlohmann/json.hpp>

#include "launchers/read_torchtitan.h"
#include "launchers/torchtitan.h"
#include "plan/fields.h"

namespace shardlens::launchers {

std::span<const OldNames> torchtitan_old_names() {
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

Names torchtitan_name(const char* key) { return names_of(key, torchtitan_old_names()); }

namespace {

using Json = nlohmann::ordered_json;

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
    const auto family = keys.text("model.name"), flavor = keys.text(torchtitan_name("model.flavor"));
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
    if (tensor == 1 || plan.asked("parallel.expert") || integer_or(plan, "parallel.expert", 1) != 1) return;
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
    const Names shard_key = torchtitan_name("parallelism.data_parallel_shard_degree");
    const Names replicate_key = torchtitan_name("parallelism.data_parallel_replicate_degree");
    const std::int64_t replicate = bounded(keys.integer(replicate_key), 1);
    const bool replicas_known = !keys.is_null(replicate_key);
    std::int64_t shard = keys.integer(shard_key).value_or(-1);
    const std::int64_t context = bounded(plan.integer("parallel.context"), 1);
    const std::int64_t others = times({bounded(plan.integer("parallel.tensor"), 1), context,
                                       bounded(plan.integer("parallel.pipeline"), 1)});
    const bool known =
        !plan.asked("parallel.tensor") && !plan.asked("parallel.context") && !plan.asked("parallel.pipeline");
    const auto gpus = plan.integer("cluster.gpus");
    if (shard == -1 && known && replicas_known && gpus && *gpus % times({others, replicate}) == 0)
        shard = *gpus / times({others, replicate});
    const bool sharded = shard != 1 || context > 1;
    if (!sharded && plan.asked("parallel.context")) {
        plan.needs("parallel.zero", "it follows from the degrees, which are not all known");
    } else if (sharded) {
        if (!plan.has("parallel.zero") && plan.asked("parallel.pipeline")) {
            plan.needs("parallel.zero", "it follows from the degrees, which are not all known");
        } else if (!plan.has("parallel.zero")) { // "default" or left out
            const bool pipeline = integer_or(plan, "parallel.pipeline", 1) > 1;
            plan.assume("parallel.zero", pipeline ? std::int64_t{2} : std::int64_t{3},
                        pipeline ? "torchtitan keeps parameters after the forward where there is a pipeline"
                                 : "torchtitan reshards parameters after the forward");
        }
    } else {
        plan.drop("parallel.zero");
        plan.assume("parallel.zero", std::int64_t{0}, "nothing is sharded: shard and context degree are 1");
    }
    if (!replicas_known) {
        plan.missing("cluster.gpus", "it is the product of the degrees, which are not all known");
        return;
    }
    if (shard < 1 || shard > 10'000'000) {
        plan.missing("cluster.gpus", "the shard degree takes the rest of the ranks: how many are there?", {},
                     keys.key(shard_key), keys.shown(shard_key));
        return;
    }
    keys.take_as(shard_key, "parallel.data", replicate * shard, "replicate · shard degree");
    if (sharded && replicate > 1 && !plan.asked("parallel.context"))
        keys.take_as(shard_key, "parallel.shard_group", shard * context, "shard · context degree");
    if (!known)
        plan.missing("cluster.gpus", "it is the product of the degrees, which are not all known");
    else if (!gpus && replicate * shard <= 10'000'000)
        keys.take_as(shard_key, "cluster.gpus", times({others, replicate, shard}),
                     "the product of the degrees");
}

void read_batch(KeyReader& keys, Imported& plan) {
    const bool pipeline = integer_or(plan, "parallel.pipeline", 1) > 1;
    const auto sequence = plan.integer("training.sequence_length");
    const Names tokens = "training.num_tokens_per_microbatch_per_dp_rank";
    const Names step = "training.num_tokens_per_train_step";
    const Names local = torchtitan_name("training.local_batch_size");
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
    const auto all = keys.integer("training.global_batch_size");
    const auto pieces = keys.integer(torchtitan_name("parallelism.pipeline_parallel_microbatches"));
    const auto size = keys.integer("parallelism.pipeline_parallel_microbatch_size");
    if (!pipeline)
        keys.take_as(local, "training.micro_batch_size", *batch);
    else if (pieces && *pieces > 0 && *batch % *pieces == 0)
        keys.take_as(torchtitan_name("parallelism.pipeline_parallel_microbatches"),
                     "training.micro_batch_size", *batch / *pieces, "local batch over its micro-batches");
    else if (size)
        keys.take_as("parallelism.pipeline_parallel_microbatch_size", "training.micro_batch_size", *size,
                     "out of the {0} samples of {1}", {std::to_string(*batch), keys.key(local)});
    else if (const std::int64_t stages = integer_or(plan, "parallel.pipeline", 1);
             keys.key(local) == "training.batch_size" && *batch > 0 && *batch % stages == 0)
        keys.take_as(local, "training.micro_batch_size", *batch / stages,
                     "over {0} micro-batches: as many as pipeline ranks were its default then",
                     {std::to_string(stages)});
    else
        keys.take_as(local, "training.micro_batch_size", std::int64_t{1},
                     "{0} samples of a pass in torchtitan's default micro-batches of a pipeline",
                     {std::to_string(*batch)});
    if (pipeline && all && data && *all > 0 && *data > 0 && *data <= 10'000'000 && *batch > 0 &&
        *all / *data / *batch > 1)
        plan.not_understood(
            keys.key(local), keys.shown(local),
            "a step is {0} passes through the pipeline, one after the other: a plan has all its "
            "micro-batches in one",
            {std::to_string(*all / *data / *batch)});
    if (all && *all > 0)
        keys.take_integer("training.global_batch_size", "training.global_batch_size");
    else if (data && *data <= 10'000'000 && *batch <= 10'000'000 && keys.key(local) == "training.batch_size")
        keys.take_as(local, "training.global_batch_size", *batch * *data, "times {0} data ranks",
                     {std::to_string(*data)});
    else if (data && *data <= 10'000'000 && *batch <= 10'000'000)
        plan.assume("training.global_batch_size", *batch * *data,
                    "torchtitan's default: local batch · data ranks");
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
    if (keys.flag(torchtitan_name("compile.enable")).value_or(false))
        keys.take_as(torchtitan_name("compile.enable"), "stack", std::string("torchtitan-compile"));
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

} // namespace

void read_torchtitan_keys(KeyReader& keys, Imported& plan) {
    read_rows(torchtitan_rows(), keys, plan, torchtitan_old_names());
    if (keys.text("parallelism.fsdp_reshard_after_forward") == "default") plan.drop("parallel.zero");
    read_model(keys, plan);
    read_expert_tensor(keys, plan);
    read_data(keys, plan);
    read_batch(keys, plan);
    read_torchtitan_stages(keys, plan);
    read_selective(keys, plan);
    read_rest(keys, plan);
}

} // namespace shardlens::launchers
