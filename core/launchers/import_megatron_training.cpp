// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <fmt/format.h>

#include "launchers/megatron_import.h"
#include "plan/fields.h"

namespace shardlens::launchers {

namespace {

constexpr const char* kDefault = "default of {0}";

void read_batch(MegatronFlags& flags) {
    Imported& plan = flags.plan();
    flags.take_integer("--seq-length", "training.sequence_length");
    flags.take_integer("--micro-batch-size", "training.micro_batch_size");
    const auto gpus = plan.integer("cluster.gpus");
    const double ranks = static_cast<double>(plan.integer("parallel.tensor").value_or(1)) *
                         static_cast<double>(plan.integer("parallel.pipeline").value_or(1)) *
                         static_cast<double>(plan.integer("parallel.context").value_or(1));
    const bool divides = gpus && ranks >= 1 && ranks <= static_cast<double>(*gpus) &&
                         *gpus % static_cast<std::int64_t>(ranks) == 0;
    const auto micro = plan.integer("training.micro_batch_size");
    if (!flags.take_integer("--global-batch-size", "training.global_batch_size") &&
        !flags.has("--global-batch-size") && !flags.has("--step-batch-size-schedule") && divides && micro &&
        *micro > 0 && *micro < 2147483647)
        flags.assume("training.global_batch_size", *micro * (*gpus / static_cast<std::int64_t>(ranks)),
                     "default of --global-batch-size: micro batch · data-parallel ranks");
    flags.outside("--rampup-batch-size",
                  "a plan has the batch behind the ramp; releases from 0.18 ignore the flag");
    flags.outside("--step-batch-size-schedule", "a plan has one batch");
    const auto batch = plan.integer("training.global_batch_size");
    const auto sequence = plan.integer("training.sequence_length");
    const auto iterations = flags.integer("--train-iters");
    const auto samples = flags.integer("--train-samples");
    double count = samples ? static_cast<double>(*samples) : 0;
    if (iterations && batch) count = static_cast<double>(*iterations) * static_cast<double>(*batch);
    if (count > 0 && sequence)
        flags.take(iterations ? "--train-iters" : "--train-samples", "training.tokens",
                   count * static_cast<double>(*sequence), "steps · batch · sequence");
}

void read_precision(MegatronFlags& flags) {
    Imported& plan = flags.plan();
    const bool bf16 = flags.on("--bf16"), fp16 = flags.on("--fp16");
    const auto fp8 = flags.text("--fp8-format");
    const auto recipe = flags.text("--fp8-recipe");
    const auto fp4 = flags.text("--fp4-format");
    if (bf16 && fp16)
        plan.warn("--bf16, --fp16", "both", "exclude each other: Megatron-LM refuses them together");
    if (fp4)
        flags.take("--fp4-format", "training.precision", std::string("nvfp4"));
    else if (fp8 && recipe == "mxfp8")
        flags.take("--fp8-recipe", "training.precision", std::string("mxfp8"));
    else if (fp8)
        flags.take("--fp8-format", "training.precision", std::string("fp8"));
    else if (bf16)
        flags.take("--bf16", "training.precision", std::string("bf16"));
    else if (fp16)
        flags.take("--fp16", "training.precision", std::string("fp16"));
    else
        flags.assume("training.precision", std::string("fp32"), "neither --bf16 nor --fp16");
    const bool accumulate = flags.on("--accumulate-allreduce-grads-in-fp32");
    if (flags.on("--grad-reduce-in-bf16"))
        flags.take("--grad-reduce-in-bf16", "training.gradient_dtype", std::string("bf16"));
    else if (fp16 && !bf16 && !accumulate)
        plan.assume("training.gradient_dtype", std::string("fp16"),
                    "without --accumulate-allreduce-grads-in-fp32");
    else
        plan.assume("training.gradient_dtype", std::string("fp32"), "what --bf16 does, and full precision");
}

void read_optimizer(MegatronFlags& flags) {
    Imported& plan = flags.plan();
    const auto name = flags.text("--optimizer");
    if (!name)
        plan.assume("training.optimizer", std::string("adamw"), "default of --optimizer: adam");
    else if (*name == "adam")
        flags.take("--optimizer", "training.optimizer", std::string("adamw"));
    else if (*name == "sgd")
        flags.take("--optimizer", "training.optimizer", std::string("sgd"));
    else if (*name == "muon" || *name == "dist_muon")
        flags.take("--optimizer", "training.optimizer", std::string("muon"));
    else
        flags.outside("--optimizer", "a plan knows adamw, sgd and muon of Megatron-LM's optimizers");
    const bool aware = flags.on("--use-precision-aware-optimizer");
    const auto moments = flags.text("--exp-avg-dtype");
    const auto squares = flags.text("--exp-avg-sq-dtype");
    if (aware && moments && squares == moments && (*moments == "fp32" || *moments == "bf16"))
        flags.take("--exp-avg-dtype", "training.optimizer_dtype", *moments);
    else if (aware && (moments || squares))
        flags.outside("--exp-avg-dtype", "a plan has both moments in fp32 or in bf16");
    else
        plan.assume("training.optimizer_dtype", std::string("fp32"), kDefault, {"--exp-avg-dtype"});
    for (const char* flag : {"--main-grads-dtype", "--main-params-dtype"})
        if (const auto dtype = flags.text(flag); dtype && *dtype != "fp32")
            flags.outside(flag, "a plan has master weights and their gradients in fp32");
    if (flags.on("--optimizer-cpu-offload")) {
        flags.take("--optimizer-cpu-offload", "memory.offload_optimizer", std::string("cpu"));
        if (const auto share = flags.number("--optimizer-offload-fraction"); share && *share < 1)
            flags.outside("--optimizer-offload-fraction", "a plan offloads all states or none");
    }
}

/// Layers of the fullest chunk.
std::int64_t most_layers(const Imported& plan) {
    const std::int64_t layers = plan.integer("model.layers").value_or(0);
    const auto split = plan.value("parallel.layers_per_stage");
    if (const auto* list = split ? std::get_if<std::vector<std::int64_t>>(&*split) : nullptr;
        list && !list->empty())
        return *std::max_element(list->begin(), list->end());
    const std::int64_t pipeline = std::max<std::int64_t>(plan.integer("parallel.pipeline").value_or(1), 1);
    const std::int64_t chunks =
        std::max<std::int64_t>(plan.integer("parallel.virtual_pipeline").value_or(1), 1);
    const double stages = static_cast<double>(pipeline) * static_cast<double>(chunks);
    if (stages > 1e6) return layers;
    const auto count = static_cast<std::int64_t>(stages);
    return (layers + count - 1) / count;
}

void read_recompute(MegatronFlags& flags) {
    Imported& plan = flags.plan();
    constexpr const char* kActivation = "--recompute-activation-function"; // MindSpeed's
    const auto granularity = flags.text("--recompute-granularity");
    const bool short_form = flags.on("--recompute-activations");
    if (granularity == "full") {
        flags.take("--recompute-granularity", "memory.recompute", std::string("full"));
        const auto method = flags.text("--recompute-method");
        const std::int64_t count = flags.integer("--recompute-num-layers").value_or(1);
        if (method == "block") {
            flags.take("--recompute-method", "memory.recompute_method", std::string("block"));
            if (const auto layers = block_recompute_layers(plan, count))
                flags.take("--recompute-num-layers", "memory.recompute_layers", *layers,
                           "the first {0} layers of each of {1} chunks",
                           {std::to_string(count), std::to_string(*layers / count)});
        } else if (count > 1) {
            flags.outside("--recompute-num-layers",
                          "a plan keeps the input of every layer, not of every n-th");
        }
    } else if (granularity == "selective" || short_form) {
        flags.take(granularity ? "--recompute-granularity" : "--recompute-activations", "memory.recompute",
                   std::string("selective"));
        std::vector<std::string> modules;
        for (const std::string& name : flags.list("--recompute-modules")) {
            const std::string known = name == "core_attn" ? "core_attention" : name;
            const auto names = recompute_module_names();
            if (std::find(names.begin(), names.end(), known) != names.end())
                modules.push_back(known);
            else
                plan.not_understood("--recompute-modules", name, "no such module in a plan");
        }
        const bool listed = !modules.empty();
        if (flags.on(kActivation)) modules.emplace_back("mlp_act");
        if (!modules.empty())
            flags.take(listed ? "--recompute-modules" : kActivation, "memory.recompute_modules", modules);
        else
            plan.assume("memory.recompute_modules", std::vector<std::string>{"core_attention"},
                        "default of --recompute-modules: core_attn");
    } else if (!granularity && flags.on(kActivation)) {
        flags.take(kActivation, "memory.recompute", std::string("selective"));
        flags.take(kActivation, "memory.recompute_modules", std::vector<std::string>{"mlp_act"});
    } else if (granularity) {
        flags.outside("--recompute-granularity", "full or selective is right");
    } else if (flags.has("--recompute-granularity")) {
        plan.needs("memory.recompute", "its value is not understood", {}, "--recompute-granularity",
                   flags.shown("--recompute-granularity"));
    } else {
        flags.assume("memory.recompute", std::string("none"), "without --recompute-granularity");
    }
    if (granularity != "full" && !flags.is_open("--recompute-granularity"))
        flags.outside("--recompute-num-layers", "without --recompute-granularity full it has no effect");
    flags.outside("--distribute-saved-activations",
                  "checkpoints split over tensor ranks have no form in a plan");
    if (const auto count = flags.integer("--cpu-offloading-num-layers"); count && *count > 0) {
        flags.take("--cpu-offloading-num-layers", "memory.offload_activations", std::string("cpu"));
        flags.take("--cpu-offloading-num-layers", "memory.offload_layers", *count);
    }
    flags.outside("--fine-grained-activation-offloading",
                  "single activations on the host have no form in a plan");
    flags.outside("--offload-modules", "single activations on the host have no form in a plan");
}

} // namespace

std::optional<std::int64_t> block_recompute_layers(const Imported& plan, std::int64_t per_chunk) {
    const std::int64_t chunks = plan.integer("parallel.virtual_pipeline").value_or(1);
    if (per_chunk < 1 || per_chunk >= most_layers(plan) || chunks < 1 || per_chunk > 100'000 ||
        chunks > 100'000)
        return std::nullopt;
    return per_chunk * chunks;
}

void read_megatron_training(MegatronFlags& flags, int) {
    Imported& plan = flags.plan();
    read_batch(flags);
    read_precision(flags);
    read_optimizer(flags);
    read_recompute(flags);
    const auto backend = flags.text("--attention-backend");
    static_cast<void>(flags.on("--use-flash-attn"));
    if (backend == "auto")
        plan.assume("training.attention", std::string("flash"),
                    "--attention-backend auto: flash attention where it can run");
    else if (backend)
        flags.take("--attention-backend", "training.attention",
                   std::string(*backend == "unfused" ? "standard" : "flash"));
}

} // namespace shardlens::launchers
