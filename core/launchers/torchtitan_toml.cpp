// SPDX-License-Identifier: GPL-3.0-or-later
// config.toml of torchtitan 0.2.2 (torchtitan/config/job_config.py).
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launchers/document_text.h"
#include "launchers/torchtitan.h"

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;

void write_model(const Findings& findings, Json& document) {
    const Setup& setup = findings.setup;
    const TorchtitanFlavor* flavor = torchtitan_flavor(setup);
    const bool known = flavor && flavor->toml;
    document["model"] = {{"name", known ? flavor->family : "llama3"},
                         {"flavor", known ? flavor->name : "plan"}};
    const ModelShape& shape = setup.shape;
    if (!known)
        findings.differs("model", "register a flavor \"plan\" in your program: " + shape_words(setup));
    const std::string_view family = known ? flavor->family : "";
    if (family == "qwen3" && setup.pipeline > 1)
        findings.differs("parallel.pipeline",
                         "give qwen3's train spec a pipelining_fn in your program: 0.2.2 ships none");
    if (family == "deepseek_v3" && setup.context > 1)
        findings.differs(
            "parallel.context",
            "register a flavor with attn_type=\"sdpa\" in your program: context parallelism of 0.2.2 "
            "needs it");
    if (known && shape.mtp_layers > 0)
        findings.differs("model.mtp_layers", "0.2.2 trains no layers for multi-token prediction");
    const Precision precision = setup.plan.training.precision;
    if (precision == Precision::fp8) {
        document["model"]["converters"] = {"quantize.linear.float8"};
        document["quantize"]["linear"]["float8"] = {{"filter_fqns", {"output"}}};
        document["compile"]["enable"] = true;
    } else if (precision == Precision::mxfp8) {
        document["model"]["converters"] = {"quantize.linear.mx"};
        document["quantize"]["linear"]["mx"] = {{"recipe_name", "mxfp8_cublas"}};
        document["compile"]["enable"] = true;
    } else if (precision == Precision::nvfp4) {
        findings.differs("training.precision", "bf16: torchtitan 0.2.2 has no nvfp4");
    }
}

void write_pipeline(const Setup& setup, Json& parallelism) {
    parallelism["pipeline_parallel_schedule"] = torchtitan_schedule(setup);
    parallelism["pipeline_parallel_microbatch_size"] = setup.plan.training.micro_batch_size;
    const TorchtitanSplit split = torchtitan_split(setup);
    if (!split.by_modules) {
        parallelism["pipeline_parallel_first_stage_less_layers"] = split.first_less;
        parallelism["pipeline_parallel_last_stage_less_layers"] = split.last_less;
        if (split.layers_per_stage)
            parallelism["pipeline_parallel_layers_per_stage"] = *split.layers_per_stage;
        return;
    }
    parallelism["module_fqns_per_model_part"] = torchtitan_modules(setup, "output");
}

} // namespace

std::string torchtitan_toml(const Findings& findings) {
    const Setup& setup = findings.setup;
    const Training& training = setup.plan.training;
    const Plan resolved = acting_plan(setup);
    Json document;
    document["job"] = {{"dump_folder", "./outputs"}};
    write_rows(torchtitan_rows(), resolved, document);
    write_rows(torchtitan_toml_rows(), resolved, document);
    Json& parallelism = document["parallelism"];
    const bool shards = setup.zero >= 2;
    parallelism["data_parallel_replicate_degree"] =
        shards ? setup.data * setup.context / setup.shard : setup.data;
    parallelism["data_parallel_shard_degree"] = shards ? setup.shard / setup.context : 1;
    if (setup.context == 1) parallelism.erase("context_parallel_rotate_method");
    if (!setup.moe()) {
        parallelism.erase("expert_parallel_degree");
        parallelism.erase("expert_tensor_parallel_degree");
    } else if (setup.expert == 1) {
        // Without expert ranks the experts lie on the tensor ranks, and the launcher takes no other number.
        parallelism["expert_tensor_parallel_degree"] = 1;
        if (setup.tensor > 1 && setup.expert_tensor != setup.tensor)
            findings.differs(
                "parallel.expert_tensor",
                "experts are split over the tensor ranks: only expert ranks can keep them whole");
    }
    if (setup.pipeline > 1) write_pipeline(setup, parallelism);
    const std::int64_t at_once = setup.pipeline > 1 ? setup.micro_batches : 1;
    document["training"]["local_batch_size"] = training.micro_batch_size * at_once;
    document["training"]["global_batch_size"] = training.global_batch_size;
    document["training"]["steps"] = train_steps(setup);
    document["training"]["max_norm"] = 1.0;
    const MemoryOptions& memory = setup.plan.memory;
    if (shards && (memory.offload_optimizer != Offload::none || memory.offload_parameters != Offload::none))
        document["training"]["enable_cpu_offload"] = true;
    if (memory.recompute == Recompute::selective)
        document["activation_checkpoint"]["selective_ac_option"] = "op";
    document["optimizer"] = {{"name", "AdamW"}};
    document["compile"] = {{"enable", setup.stack.id == "torchtitan-compile"}};
    write_model(findings, document);
    if (training.attention == Attention::standard)
        findings.differs("training.attention", "PyTorch's SDPA chooses the kernel by itself");
    if (setup.tensor > 1 && !setup.sequence)
        findings.differs("parallel.sequence",
                         "norms split the sequence over the tensor ranks: always on with "
                         "tensor parallelism");
    return toml_text(document);
}

} // namespace shardlens::launchers
