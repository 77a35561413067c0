// SPDX-License-Identifier: GPL-3.0-or-later
// SageMaker's model parallel library: parameters.json is the `distribution` of an estimator (version 1, SDK
// 2) or the parameters of SMP within Torchrun (version 2, SDK 3).
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

const KeyRow kFirstRows[] = {
    {"parallel.pipeline", "pipeline_parallel_degree"},
    {"parallel.tensor", "tensor_parallel_degree"},
};
const KeyRow kSecondRows[] = {
    {"parallel.tensor", "tensor_parallel_degree"},
    {"parallel.context", "context_parallel_degree"},
    {"parallel.expert", "expert_parallel_degree"},
};

void differs(Export& result, std::string path, std::string instead) {
    result.not_expressed.push_back({std::move(path), std::move(instead)});
}

/// What both versions leave to the script.
void add_script_part(const Setup& setup, bool first, Export& result) {
    const MemoryOptions& memory = setup.plan.memory;
    const Precision precision = setup.plan.training.precision;
    if (setup.sequence)
        differs(result, "parallel.sequence",
                "norms and dropout work on whole sequences on every tensor rank");
    if (memory.recompute != Recompute::none)
        differs(result, "memory.recompute", "wrap the layers in activation checkpointing in your script");
    if (memory.offload_optimizer != Offload::none)
        differs(result, "memory.offload_optimizer", "optimizer states stay on the GPU");
    if (memory.offload_parameters != Offload::none)
        differs(result, "memory.offload_parameters", "parameters stay on the GPU");
    if (memory.offload_activations == Offload::nvme)
        differs(result, "memory.offload_activations", "to host memory: SageMaker cannot write to NVMe");
    if (memory.offload_activations != Offload::none && memory.recompute == Recompute::none)
        differs(result, "memory.offload_activations",
                "only checkpointed activations (memory.recompute) leave the GPU");
    if (!first || precision != Precision::fp16)
        differs(result, "training.precision",
                fmt::format("train in {} in your script", to_string(precision)));
    if (setup.plan.training.gradient_dtype)
        differs(result, "training.gradient_dtype",
                fmt::format("keep gradients in {} in your script", to_string(setup.gradient_dtype)));
    if (setup.zero > 0 && setup.shard == 1)
        differs(result, "parallel.zero", "one replica: there is nothing to shard");
    if (setup.context > 1)
        differs(result, "parallel.context_kind", "SageMaker chooses how keys and values are exchanged");
    differs(result, "training.optimizer",
            fmt::format("build the optimizer ({}) in your script", to_string(setup.plan.training.optimizer)));
    differs(result, "training.global_batch_size",
            first ? fmt::format(
                        "feed {} samples per data rank and step in your script; the library cuts them into "
                        "micro-batches",
                        setup.micro_batches * setup.plan.training.micro_batch_size)
                  : fmt::format("feed {} samples at a time and accumulate {} times in your program",
                                setup.plan.training.micro_batch_size, setup.micro_batches));
    Findings{setup, result}.model_in_program();
    Findings{setup, result}.attention_in_program();
}

Json first_file(const Setup& setup, Export& result) {
    Json parameters = Json::object();
    write_rows(kFirstRows, acting_plan(setup), parameters);
    parameters["microbatches"] = setup.micro_batches;
    parameters["ddp"] = true;
    const bool simple = setup.schedule == ScheduleKind::gpipe;
    parameters["pipeline"] = simple ? "simple" : "interleaved"; // interleaved forward and backward: 1F1B
    if (rules::schedule_instead(setup, "sagemaker@1"))
        differs(result, "parallel.schedule",
                fmt::format("SageMaker runs 1f1b instead of {}", to_string(setup.schedule)));
    parameters["optimize"] = "memory";
    if (same_placement(setup, "tp-pp-dp-cp")) {
        parameters["placement_strategy"] = "cluster";
    } else if (same_placement(setup, "dp-pp-tp-cp")) {
        parameters["placement_strategy"] = "spread";
    } else {
        parameters["placement_strategy"] = "cluster";
        differs(result, "parallel.rank_order",
                "ranks land in SageMaker's order cluster: tensor neighbours first, then pipeline, then data");
    }
    if (setup.zero == 1) parameters["shard_optimizer_state"] = true;
    if (setup.zero == 1 && setup.shard < setup.data)
        differs(result, "parallel.shard_group", "optimizer states are sharded over all data ranks");
    if (setup.zero == 3) parameters["sharded_data_parallel_degree"] = setup.shard;
    if (setup.plan.memory.offload_activations != Offload::none) parameters["offload_activations"] = true;
    if (setup.plan.training.precision == Precision::fp16) parameters["fp16"] = true;
    const auto& list = setup.plan.parallel.layers_per_stage;
    if (!list.empty() && setup.pipeline > 1) {
        // validate_mp_config compares default_partition with the older name of the degree, which it then
        // needs.
        parameters.erase("pipeline_parallel_degree");
        parameters["partitions"] = setup.pipeline;
        parameters["auto_partition"] = false;
        parameters["default_partition"] = 0;
        differs(result, "parallel.layers_per_stage", "place the layers with smp.partition in your script");
    } else if (setup.pipeline > 1) {
        parameters["auto_partition"] = true;
        if (setup.shape.layers % setup.pipeline != 0)
            differs(result, "parallel.layers_per_stage",
                    "the library splits the layers by its own cost estimate");
    }
    Json file = Json::object();
    file["launcher"] = "sagemaker@1";
    file["smdistributed"] = {{"modelparallel", {{"enabled", true}, {"parameters", parameters}}}};
    file["mpi"] = {{"enabled", true}, {"processes_per_host", processes_per_node(setup)}};
    return file;
}

Json second_file(const Setup& setup, Export& result) {
    Json smp = Json::object();
    // 1 = no sharding; 0 would let the library choose.
    smp["hybrid_shard_degree"] = setup.zero == 3 ? setup.shard : 1;
    write_rows(kSecondRows, acting_plan(setup), smp);
    if (setup.plan.memory.offload_activations != Offload::none) {
        smp["sm_activation_offloading"] = true;
        smp["activation_loading_horizon"] = 2;
    }
    if (setup.zero == 0)
        differs(result, "parallel.zero",
                "wrap the model in DistributedDataParallel or FSDP NO_SHARD in your script");
    if (!same_placement(setup, "tp-cp-ep-dp-pp"))
        differs(result, "parallel.rank_order",
                "ranks land in SageMaker's order: tensor and sharding neighbours first, then replicas");
    Json file = Json::object();
    file["launcher"] = "sagemaker@2";
    file["process_count_per_node"] = processes_per_node(setup);
    file["smp"] = smp;
    return file;
}

} // namespace

Export make_sagemaker(const Setup& setup, const Report&, std::string_view version) {
    Export result;
    check_hosts(setup, result);
    const bool first = version == "1";
    const Json file = first ? first_file(setup, result) : second_file(setup, result);
    add_script_part(setup, first, result);
    add_refusals(setup, fmt::format("sagemaker@{}", version), result);
    if (!result.refusals.empty()) return result;
    result.files.push_back({"parameters.json", file.dump(2) + "\n", false});
    add_launch_files(
        setup, fmt::format("sagemaker@{}", version),
        "# SageMaker starts the processes itself; by hand they are started as torchrun starts them.\n" +
            torchrun_lines() +
            "    \"${TRAIN_SCRIPT:?set TRAIN_SCRIPT to the training script}\" \"$here/parameters.json\"\n",
        result);
    return result;
}

int looks_like_sagemaker(std::string_view text, std::string_view) {
    if (text.find("\"smdistributed\"") != std::string_view::npos) return 95;
    const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
    if (has("\"hybrid_shard_degree\"") || has("\"sm_activation_offloading\"")) return 90;
    return (has("\"pipeline_parallel_degree\"") || has("\"partitions\"")) && has("\"microbatches\"") ? 85 : 0;
}

namespace {

/// The object with the parameters, wherever the file keeps them.
Json parameters_of(const Json& document, bool& first) {
    for (const char* path : {"/smdistributed/modelparallel/parameters", "/modelparallel/parameters",
                             "/parameters", "/mp_parameters", "/smp"}) {
        const Json::json_pointer pointer(path);
        if (document.contains(pointer) && document.at(pointer).is_object()) {
            const Json& parameters = document.at(pointer);
            // The estimator nests the parameters of both versions alike; these keys are the second's alone.
            const bool second =
                parameters.contains("hybrid_shard_degree") || parameters.contains("sm_activation_offloading");
            if (std::string_view(path).find("modelparallel") != std::string_view::npos && !second)
                first = true;
            return parameters;
        }
    }
    return document;
}

void read_first(KeyReader& keys, Imported& plan) {
    if (!keys.take_integer({"pipeline_parallel_degree", "partitions"}, "parallel.pipeline"))
        plan.missing("parallel.pipeline",
                     "version 1 needs pipeline_parallel_degree (in old files: partitions)");
    if (!keys.take_integer("tensor_parallel_degree", "parallel.tensor"))
        plan.assume("parallel.tensor", std::int64_t{1}, "SageMaker's default");
    if (keys.integer({"sharded_data_parallel_degree"}).value_or(1) > 1) {
        keys.take_as("sharded_data_parallel_degree", "parallel.zero", std::int64_t{3});
        keys.take_integer("sharded_data_parallel_degree", "parallel.shard_group");
    } else if (keys.flag("shard_optimizer_state").value_or(false)) {
        keys.take_as("shard_optimizer_state", "parallel.zero", std::int64_t{1});
    } else {
        plan.assume("parallel.zero", std::int64_t{0}, "SageMaker's default");
    }
    const std::string pipeline = keys.text("pipeline").value_or("interleaved");
    if (keys.has("pipeline"))
        keys.take_as("pipeline", "parallel.schedule", std::string(pipeline == "simple" ? "gpipe" : "1f1b"),
                     "interleaved means that forwards and backwards alternate: 1F1B");
    const std::string placement = keys.text("placement_strategy").value_or("cluster");
    std::string order = placement == "cluster" ? "DPT" : placement == "spread" ? "TPD" : placement;
    std::string ranks;
    for (auto letter = order.rbegin(); letter != order.rend(); ++letter)
        ranks += fmt::format("{}{}", ranks.empty() ? "" : "-",
                             *letter == 'D'   ? "dp"
                             : *letter == 'P' ? "pp"
                             : *letter == 'T' ? "tp"
                                              : "?");
    if (ranks.find('?') == std::string::npos && order.size() == 3)
        keys.take_as("placement_strategy", "parallel.rank_order", ranks + "-cp");
    else
        plan.not_understood("placement_strategy", placement, "cluster, spread, or an order of D, P and T");
    read_micro_batch_count(keys, plan, "microbatches");
    if (keys.flag("offload_activations").value_or(false))
        keys.take_as("offload_activations", "memory.offload_activations", std::string("cpu"));
    if (keys.flag("fp16").value_or(false)) keys.take_as("fp16", "training.precision", std::string("fp16"));
    keys.outside("active_microbatches", "how many micro-batches are alive at once");
    if (!keys.flag("auto_partition").value_or(true))
        keys.outside("auto_partition", "the program splits the layers: set parallel.layers_per_stage");
    keys.ignore({"ddp", "optimize", "default_partition", "memory_weight", "prescaled_batch",
                 "activation_loading_horizon", "ddp_dist_backend", "ddp_port", "sdp_*"});
}

void read_second(KeyReader& keys, Imported& plan) {
    read_rows(kSecondRows, keys, plan);
    const std::int64_t degree = keys.integer("hybrid_shard_degree").value_or(0);
    if (degree == 1) {
        keys.take_as("hybrid_shard_degree", "parallel.zero", std::int64_t{0}, "1 switches sharding off");
    } else if (degree > 1) {
        keys.take_as("hybrid_shard_degree", "parallel.zero", std::int64_t{3});
        keys.take_integer("hybrid_shard_degree", "parallel.shard_group");
    } else {
        plan.assume("parallel.zero", std::int64_t{3}, "SageMaker shards over as many ranks as it can");
    }
    if (keys.flag("sm_activation_offloading").value_or(false))
        keys.take_as("sm_activation_offloading", "memory.offload_activations", std::string("cpu"));
    keys.ignore(
        {"activation_loading_horizon", "fsdp_cache_flush_warnings", "allow_empty_shards", "random_seed"});
}

} // namespace

Error read_sagemaker(std::string_view text, const std::string& origin, std::string_view version,
                     Imported& plan) {
    const auto document = relaxed_object(text, origin, plan);
    if (!document) return document.error();
    bool first = version == "1";
    const Json parameters = parameters_of(*document, first);
    for (const char* key : {"pipeline_parallel_degree", "partitions", "microbatches"})
        if (parameters.contains(key)) first = true;
    KeyReader keys(parameters, plan);
    plan.assume("stack", std::string("generic"), "no stack is measured with SageMaker");
    plan.assume("target", std::string(first ? "sagemaker@1" : "sagemaker@2"), "the version by its keys");
    if (first)
        read_first(keys, plan);
    else
        read_second(keys, plan);
    keys.ignore({"launcher", "process_count_per_node", "enabled", "mpi.*"});
    keys.finish();
    const char* why = "SageMaker leaves it to the training script";
    for (const char* path :
         {"model", "training.sequence_length", "training.micro_batch_size", "training.global_batch_size"})
        if (!plan.has_note(ImportNote::Kind::missing, path)) plan.missing(path, why);
    plan.missing("cluster.node", "the instance type is the estimator's");
    plan.missing("cluster.gpus", "the number of instances is the estimator's");
    return {};
}

} // namespace shardlens::launchers
