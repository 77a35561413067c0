// SPDX-License-Identifier: GPL-3.0-or-later
// ColossalAI 0.5: plugin.json holds the keyword arguments of HybridParallelPlugin or MoeHybridParallelPlugin
// (colossalai/booster/plugin); a training program builds the plugin from them.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launchers/common.h"
#include "launchers/findings.h"
#include "launchers/import_documents.h"
#include "launchers/makers.h"
#include "launchers/read_rows.h"
#include "launchers/readers.h"
#include "plan/fields.h"
#include "rules/launcher_schedule.h"

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;

const KeyRow kRows[] = {
    {"parallel.tensor", "args.tp_size"},
    {"parallel.pipeline", "args.pp_size"},
    {"parallel.zero", "args.zero_stage"},
};
const KeyRow kPipelineRows[] = {
    {"parallel.virtual_pipeline", "args.num_model_chunks"},
    {"training.micro_batch_size", "args.microbatch_size"},
};
const KeyRow kExpertRows[] = {{"parallel.expert", "args.ep_size"}};

struct Plugin {
    Json json = Json::object();
    Export& result;

    void differs(std::string path, std::string instead) {
        result.not_expressed.push_back({std::move(path), std::move(instead)});
    }
};

void add_precision(const Setup& setup, Plugin& out) {
    const Precision precision = setup.plan.training.precision;
    const bool plain = precision <= Precision::bf16;
    set_key(out.json, "args.precision", plain ? std::string(to_string(precision)) : "bf16");
    if (!plain) {
        set_key(out.json, "args.use_fp8", true);
        if (precision != Precision::fp8)
            out.differs("training.precision", "fp8: ColossalAI has no block-scaled formats");
    }
    if (setup.gradient_dtype != working_dtype(setup))
        out.differs("training.gradient_dtype", "gradients have the training precision");
    if (setup.optimizer_dtype != Dtype::fp32)
        out.differs("training.optimizer_dtype", "the moments have the dtype that your optimizer keeps");
    out.differs("training.optimizer", fmt::format("give an optimizer ({}) to booster.boost in your program",
                                                  to_string(setup.plan.training.optimizer)));
}

void add_sequence(const Setup& setup, Plugin& out) {
    if (setup.context > 1) {
        const bool ring = setup.context_kind == ContextKind::ring;
        set_key(out.json, "args.enable_sequence_parallelism", true);
        set_key(out.json, "args.sequence_parallelism_mode", ring ? "ring_attn" : "all_to_all");
        set_key(out.json, "args.sp_size", setup.context);
        if (setup.sequence)
            out.differs(
                "parallel.sequence",
                "norms and dropout work on whole sequences: one kind of sequence parallelism at a time");
    } else if (setup.sequence) {
        set_key(out.json, "args.enable_sequence_parallelism", true);
        set_key(out.json, "args.sequence_parallelism_mode", "split_gather");
    }
}

void add_pipeline(const Setup& setup, Plugin& out) {
    if (setup.pipeline == 1) return;
    const bool interleaved = setup.plan.parallel.virtual_pipeline > 1;
    set_key(out.json, "args.pp_style", interleaved ? "interleaved" : "1f1b");
    write_rows(kPipelineRows, acting_plan(setup), out.json);
    // The plugin refuses chunks beside 1f1b, which also stands in for the schedules of two chunks a rank.
    if (!interleaved) set_key(out.json, "args.num_model_chunks", 1);
    const auto instead = rules::schedule_instead(setup, "colossalai");
    if (instead && setup.schedule == ScheduleKind::zb_v && !interleaved)
        out.differs(
            "parallel.schedule",
            "1f1b; for zb-v give pp_style zbv, num_model_chunks 2 and scheduler_nodes in your program");
    else if (instead)
        out.differs("parallel.schedule", fmt::format("ColossalAI runs {} instead of {}", to_string(*instead),
                                                     to_string(setup.schedule)));
    if (interleaved && setup.plan.parallel.virtual_pipeline_group > setup.pipeline)
        out.differs("parallel.virtual_pipeline_group", "groups of as many micro-batches as stages");
    if (setup.overlap.pipeline.has_value() && interleaved && !*setup.overlap.pipeline)
        set_key(out.json, "args.overlap_p2p", false);
    const auto& list = setup.plan.parallel.layers_per_stage;
    if (interleaved || !instead) {
        // Its own split gives the extra layers to the middle stages (stage_manager.py); ours is written out.
        if (!interleaved && setup.shape.layers % setup.pipeline != 0)
            set_key(out.json, "args.num_layers_per_stage", setup.layers_per_chunk);
        else if (!interleaved && !list.empty())
            set_key(out.json, "args.num_layers_per_stage", setup.layers_per_chunk);
        else if (interleaved && setup.shape.layers % (setup.pipeline * setup.virtual_pipeline) != 0)
            out.differs("parallel.layers_per_stage",
                        "ColossalAI splits the layers over the chunks by itself");
    }
}

void add_order(const Setup& setup, bool experts, Plugin& out) {
    const bool ring = setup.context > 1 && setup.context_kind == ContextKind::ring;
    const std::string inner = ring ? "tp-cp" : "cp-tp";
    const char* name = experts ? "args.moe_dp_outside" : "args.dp_outside";
    // Experts take data ranks next to the tensor ranks: the stages come between them and the other replicas.
    const bool split = experts && setup.expert > 1 && setup.expert < setup.data && setup.pipeline > 1;
    if (!split && same_placement(setup, inner + "-ep-pp-dp")) {
        set_key(out.json, name, true);
    } else if (same_placement(setup, inner + "-ep-dp-pp")) {
        set_key(out.json, name, false);
    } else {
        set_key(out.json, name, true);
        out.differs("parallel.rank_order",
                    "ranks land in ColossalAI's order: sequence and tensor neighbours first, "
                    "then pipeline, then data");
    }
}

void add_memory(const Setup& setup, Plugin& out) {
    const MemoryOptions& memory = setup.plan.memory;
    if (memory.offload_optimizer != Offload::none) {
        if (setup.zero > 0)
            set_key(out.json, "args.cpu_offload", true);
        else
            out.differs("memory.offload_optimizer",
                        "optimizer states stay on the GPU: offload needs parallel.zero >= 1");
        if (memory.offload_optimizer == Offload::nvme && setup.zero > 0)
            out.differs("memory.offload_optimizer", "to host memory: this plugin cannot write to NVMe");
    }
    if (memory.offload_parameters != Offload::none)
        out.differs("memory.offload_parameters", "parameters stay on the GPU");
    if (memory.offload_activations != Offload::none)
        out.differs("memory.offload_activations", "activations stay on the GPU");
    if (memory.recompute == Recompute::full && memory.recompute_layers == 0)
        out.differs("memory.recompute", "call model.gradient_checkpointing_enable() in your program");
    else if (memory.recompute == Recompute::full)
        out.differs(
            "memory.recompute",
            fmt::format("call model.gradient_checkpointing_enable() and give a GradientCheckpointConfig that "
                        "recomputes {} layers of each rank in your program",
                        memory.recompute_layers));
    else if (memory.recompute == Recompute::selective)
        out.differs("memory.recompute", "nothing is recomputed: ColossalAI recomputes whole layers");
}

} // namespace

Export make_colossalai(const Setup& setup, const Report&, std::string_view version) {
    Export result;
    Plugin plugin{Json::object(), result};
    check_hosts(setup, result);
    const bool experts = setup.moe();
    const std::string target = fmt::format("colossalai@{}", version);
    plugin.json["launcher"] = target;
    plugin.json["plugin"] = experts ? "MoeHybridParallelPlugin" : "HybridParallelPlugin";
    write_rows(kRows, acting_plan(setup), plugin.json);
    if (experts) write_rows(kExpertRows, acting_plan(setup), plugin.json);
    add_precision(setup, plugin);
    add_sequence(setup, plugin);
    add_pipeline(setup, plugin);
    add_order(setup, experts, plugin);
    if (setup.plan.training.attention == Attention::flash)
        set_key(plugin.json, "args.enable_flash_attention", true);
    else if (setup.context > 1 && setup.context_kind == ContextKind::ring)
        plugin.differs("training.attention", "ring attention is flash attention");
    set_key(plugin.json, "args.overlap_communication",
            !experts && setup.zero > 0 && setup.overlap.grad_reduce.value_or(false));
    add_memory(setup, plugin);
    plugin.differs(
        "training.global_batch_size",
        setup.pipeline > 1
            ? fmt::format("feed {} samples per data rank and step in your program; the pipeline cuts them "
                          "into micro-batches",
                          setup.micro_batches * setup.plan.training.micro_batch_size)
            : fmt::format("feed {} samples at a time and accumulate {} times in your program",
                          setup.plan.training.micro_batch_size, setup.micro_batches));
    Findings{setup, result}.model_in_program();
    add_refusals(setup, target, result);
    if (!result.refusals.empty()) return result;
    result.files.push_back({"plugin.json", plugin.json.dump(2) + "\n", false});
    add_launch_files(
        setup, target,
        torchrun_lines() +
            "    \"${TRAIN_SCRIPT:?set TRAIN_SCRIPT to the program that builds the plugin from the "
            "arguments in plugin.json}\" \"$here/plugin.json\"\n",
        result);
    return result;
}

int looks_like_colossalai(std::string_view text, std::string_view file_name) {
    if (text.find("HybridParallelPlugin") != std::string_view::npos) return text.find('{') < 40 ? 95 : 0;
    const bool degrees = text.find("\"tp_size\"") != std::string_view::npos &&
                         text.find("\"pp_size\"") != std::string_view::npos;
    return degrees ? 80 : file_name == "plugin.json" ? 20 : 0;
}

Error read_colossalai(std::string_view text, const std::string& origin, std::string_view version,
                      Imported& plan) {
    const auto parsed = relaxed_object(text, origin, plan);
    if (!parsed) return parsed.error();
    Json document = *parsed;
    // The arguments alone are as good as our own file.
    if (!document.contains("args")) {
        Json wrapped = Json::object(), arguments = Json::object();
        for (const auto& [key, value] : document.items())
            (key == "plugin" || key == "launcher" ? wrapped : arguments)[key] = value;
        wrapped["args"] = std::move(arguments);
        document = std::move(wrapped);
    }
    KeyReader keys(document, plan);
    keys.ignore({"launcher"});
    plan.assume("stack", std::string("generic"), "no stack is measured with ColossalAI");
    plan.assume("target", fmt::format("colossalai@{}", version), plan.version_reason());
    const std::string kind = keys.text("plugin").value_or("HybridParallelPlugin");
    if (kind != "HybridParallelPlugin" && kind != "MoeHybridParallelPlugin")
        plan.not_understood("plugin", kind, "only HybridParallelPlugin and MoeHybridParallelPlugin are read");
    read_rows(kRows, keys, plan);
    if (!plan.has("parallel.zero")) plan.assume("parallel.zero", std::int64_t{0}, "ColossalAI's default");
    read_rows(kPipelineRows, keys, plan);
    if (kind == "MoeHybridParallelPlugin") {
        read_rows(kExpertRows, keys, plan);
        if (const auto tensor = plan.integer("parallel.tensor"))
            plan.assume("parallel.expert_tensor", *tensor, "ColossalAI cuts experts over the tensor ranks");
    }
    keys.take_integers("args.num_layers_per_stage", "parallel.layers_per_stage");
    if (const auto count = keys.integer("args.num_microbatches"))
        plan.not_understood(
            "args.num_microbatches", std::to_string(*count),
            "a number of micro-batches: the global batch is this times micro batch and data ranks");

    if (keys.flag("args.use_fp8").value_or(false))
        keys.take_as("args.use_fp8", "training.precision", std::string("fp8"));
    else if (!keys.take_text("args.precision", "training.precision"))
        plan.assume("training.precision", std::string("fp16"), "ColossalAI's default");
    assume_gradient_precision(plan);
    (void)keys.text("args.precision");

    const bool sequence = keys.flag("args.enable_sequence_parallelism").value_or(false);
    const std::string mode = keys.text("args.sequence_parallelism_mode").value_or("all_to_all");
    if (sequence && (mode == "split_gather" || mode == "ring")) {
        keys.take_as("args.enable_sequence_parallelism", "parallel.sequence", true);
        (void)keys.integer("args.sp_size");
    } else if (sequence) {
        keys.take_integer("args.sp_size", "parallel.context");
        keys.take_as("args.sequence_parallelism_mode", "parallel.context_kind",
                     std::string(mode == "ring_attn" ? "ring" : "ulysses"));
    }
    const std::string style = keys.text("args.pp_style").value_or("1f1b");
    if (style == "zbv")
        keys.take_as("args.pp_style", "parallel.schedule", std::string("zb-v"));
    else if (style == "interleaved")
        keys.take_as("args.pp_style", "parallel.schedule", std::string("interleaved"));
    const bool experts = kind == "MoeHybridParallelPlugin";
    const Names outside = experts ? "args.moe_dp_outside" : "args.dp_outside";
    const bool data_outside = keys.flag(outside).value_or(true);
    const std::string order =
        fmt::format("{}-{}", mode == "ring_attn" ? "tp-cp" : "cp-tp", data_outside ? "ep-pp-dp" : "ep-dp-pp");
    if (keys.has(outside))
        keys.take_as(outside, "parallel.rank_order", order);
    else
        plan.assume("parallel.rank_order", order, "ColossalAI's default");
    if (keys.flag("args.cpu_offload").value_or(false))
        keys.take_as("args.cpu_offload", "memory.offload_optimizer", std::string("cpu"));
    if (!experts) keys.take_flag("args.overlap_communication", "overlap.grad_reduce");
    keys.take_flag("args.overlap_p2p", "overlap.pipeline");
    if (const auto flash = keys.flag("args.enable_flash_attention"))
        keys.take_as("args.enable_flash_attention", "training.attention",
                     std::string(*flash || mode == "ring_attn" ? "flash" : "standard"));
    else
        plan.assume("training.attention", std::string(mode == "ring_attn" ? "flash" : "standard"),
                    "ColossalAI's default");
    keys.outside("args.gradient_checkpoint_config", "which layers are recomputed: set memory.recompute");
    keys.ignore({"args.max_norm", "args.initial_scale", "args.min_scale", "args.max_scale",
                 "args.growth_factor", "args.backoff_factor", "args.growth_interval", "args.hysteresis",
                 "args.parallel_output", "args.enable_metadata_cache", "args.broadcast_buffers",
                 "args.overlap_communication"});
    keys.finish();
    plan.missing("training.global_batch_size", "ColossalAI takes it from the data loader of the program");
    plan.missing("training.sequence_length", "ColossalAI takes it from the data loader of the program");
    plan.missing("model", "ColossalAI is handed a model by the program");
    plan.missing("cluster.node", "the file names no machines");
    plan.missing("cluster.gpus", "the number of processes is torchrun's");
    if (!plan.has("training.micro_batch_size"))
        plan.missing("training.micro_batch_size", "without a pipeline it is the data loader's batch");
    return {};
}

} // namespace shardlens::launchers
