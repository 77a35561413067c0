// SPDX-License-Identifier: GPL-3.0-or-later
// config.py of torchtitan main (August 2026): a function that returns a Trainer.Config, made by replace() so
// that every rule in __post_init__ runs.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launchers/torchtitan.h"

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;

std::string python_value(const Json& value) {
    if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
    if (value.is_null()) return "None";
    if (!value.is_array()) return value.dump();
    std::string list;
    for (const Json& item : value) list += (list.empty() ? "" : ", ") + python_value(item);
    return "[" + list + "]";
}

/// "        parallelism=ParallelismConfig(\n …        ),\n"
std::string call(const char* argument, const char* constructor, const Json& keywords) {
    std::string text = fmt::format("        {}={}(\n", argument, constructor);
    for (const auto& [key, value] : keywords.items())
        text += fmt::format("            {}={},\n", key, python_value(value));
    return text + "        ),\n";
}

/// A flavor "plan" of the family, built as the family builds its own.
std::string custom_flavor(const Setup& setup) {
    const ModelShape& shape = setup.shape;
    const bool experts = setup.moe();
    const char* table = experts ? "qwen3_configs" : "llama3_configs";
    const std::int64_t context = std::max<std::int64_t>(setup.plan.training.sequence_length, 131072);
    std::string text = fmt::format(
        "\n\n# torchtitan ships no flavor of this shape: it is built as the family builds its own.\n"
        "def shape({}):\n"
        "    return family.{}.Config(\n"
        "        dim={},\n"
        "        vocab_size={},\n"
        "{}"
        "        tok_embeddings=family.Embedding.Config(\n"
        "            num_embeddings={}, embedding_dim={}, param_init=family._EMBEDDING_INIT\n"
        "        ),\n",
        experts ? "attn_backend, moe_comm_backend=\"standard\"" : "attn_backend, tp_gemm_backend=\"default\"",
        experts ? "Qwen3Model" : "Llama3Model", shape.hidden, shape.vocab,
        shape.tied_embeddings ? "        enable_weight_tying=True,\n" : "", shape.vocab, shape.hidden);
    text += experts ? fmt::format("        norm=family._qwen3_norm({}),\n", shape.hidden)
                    : fmt::format("        norm=family.RMSNorm.Config(normalized_shape={}, "
                                  "param_init=family._NORM_INIT),\n",
                                  shape.hidden);
    text += fmt::format("        lm_head=family.Linear.Config(\n"
                        "            in_features={}, out_features={}, param_init={}\n"
                        "        ),\n"
                        "        layers=family.{}(\n"
                        "            n_layers={},\n"
                        "            dim={},\n"
                        "            n_heads={},\n"
                        "            n_kv_heads={},\n",
                        shape.hidden, shape.vocab,
                        experts ? std::string("family._LINEAR_INIT")
                                : fmt::format("family._output_linear_init({})", shape.hidden),
                        experts ? "_build_qwen3_moe_layers" : "_build_llama3_layers", shape.layers,
                        shape.hidden, shape.heads, shape.kv());
    if (experts) {
        text += fmt::format("            head_dim={},\n"
                            "            moe_hidden_dim={},\n"
                            "            num_experts={},\n"
                            "            top_k={},\n"
                            "            moe_comm_backend=moe_comm_backend,\n"
                            "            rope=family.CosSinRoPE.Config(dim={}, max_context_length={}, "
                            "theta=1000000.0),\n",
                            shape.head_size(), shape.moe->expert_ffn, shape.moe->experts, shape.moe->top_k,
                            shape.head_size(), context);
    } else {
        text += fmt::format("            hidden_dim={},\n"
                            "            tp_gemm_backend=tp_gemm_backend,\n"
                            "            rope=family.ComplexRoPE.Config(\n"
                            "                dim={}, max_context_length={}, theta=500000, scaling=\"llama\"\n"
                            "            ),\n",
                            shape.ffn_hidden, shape.hidden / shape.heads, context);
    }
    text += fmt::format("            attn_backend=attn_backend,\n"
                        "        ),\n"
                        "    )\n"
                        "\n\n"
                        "family.{}[\"plan\"] = shape\n",
                        table);
    return text;
}

Json parallelism(const Setup& setup, const Json& rows) {
    Json keywords = rows;
    const bool shards = setup.zero >= 2;
    keywords["data_parallel_replicate_degree"] =
        shards ? setup.data * setup.context / setup.shard : setup.data;
    keywords["data_parallel_shard_degree"] = shards ? setup.shard / setup.context : 1;
    if (!setup.moe()) keywords.erase("expert_parallel_degree");
    if (setup.tensor == 1) keywords.erase("enable_sequence_parallel");
    if (setup.pipeline == 1) return keywords;
    keywords["pipeline_parallel_schedule"] = torchtitan_schedule(setup);
    keywords["num_pp_microbatches"] = setup.micro_batches;
    const TorchtitanSplit split = torchtitan_split(setup);
    if (!split.by_modules) {
        keywords["pipeline_parallel_first_stage_less_layers"] = split.first_less;
        keywords["pipeline_parallel_last_stage_less_layers"] = split.last_less;
        if (split.layers_per_stage) keywords["pipeline_parallel_layers_per_stage"] = *split.layers_per_stage;
        return keywords;
    }
    keywords["module_fqns_per_model_part"] = torchtitan_modules(setup, "lm_head");
    return keywords;
}

const char* converter_of(Precision precision) {
    switch (precision) {
    case Precision::fp8: return "Float8LinearConverter";
    case Precision::mxfp8: return "MXFP8LinearConverter";
    case Precision::nvfp4: return "NVFP4LinearConverter";
    default: return nullptr;
    }
}

void find_model_differences(const Findings& findings, const TorchtitanFlavor* flavor) {
    const Setup& setup = findings.setup;
    using enum ShapeFeature;
    if (flavor) return; // the flavor is the model
    if (setup.moe())
        findings.model_differs({experts, head_size, qk_norm, tied_embeddings});
    else
        findings.model_differs({tied_embeddings});
    if (setup.moe() && setup.shape.qk_norm != QkNorm::per_head)
        findings.differs("model.qk_norm", "queries and keys are normalized per head, as in Qwen3");
}

} // namespace

std::string torchtitan_python(const Findings& findings) {
    const Setup& setup = findings.setup;
    const Training& training = setup.plan.training;
    const TorchtitanFlavor* flavor = torchtitan_flavor(setup);
    find_model_differences(findings, flavor);
    const std::string family = flavor ? flavor->family : setup.moe() ? "qwen3" : "llama3";
    const char* base = family == "deepseek_v3" ? "deepseek_v3_16b"
                       : family == "qwen3"     ? "qwen3_14b"
                                               : "llama3_8b";
    const char* converter = converter_of(training.precision);
    const bool compiled = converter || setup.stack.id == "torchtitan-compile";
    const Recompute recompute = setup.plan.memory.recompute;
    const char* policy = recompute == Recompute::full        ? "FullAC"
                         : recompute == Recompute::selective ? "SelectiveAC"
                                                             : nullptr;
    std::string text = "from dataclasses import replace\n\n"
                       "from torchtitan.components.loss import ChunkedLossWrapper, CrossEntropyLoss\n";
    if (converter) text += fmt::format("from torchtitan.components.quantization import {}\n", converter);
    text += "from torchtitan.config import CompileConfig, ParallelismConfig, TrainingConfig\n";
    if (policy) text += fmt::format("from torchtitan.distributed.activation_checkpoint import {}\n", policy);
    if (!flavor) text += fmt::format("from torchtitan.models import {} as family\n", family);
    text += fmt::format("from torchtitan.models.common.config_utils import decoder_vocab_size\n"
                        "from torchtitan.models.{} import model_registry\n"
                        "from torchtitan.models.{}.config_registry import {} as base\n"
                        "from torchtitan.trainer import Trainer\n",
                        family, family, base);
    if (!flavor) text += custom_flavor(setup);

    text += "\n\ndef plan() -> Trainer.Config:\n";
    text +=
        fmt::format("    model_spec = model_registry(\n        \"{}\",\n", flavor ? flavor->name : "plan");
    const bool predicts = family == "deepseek_v3" && setup.shape.mtp_layers > 0;
    if (predicts && (setup.pipeline > 1 || setup.context > 1))
        findings.differs("model.mtp_layers",
                         "trained without the layers for multi-token prediction: they take "
                         "no pipeline and no context parallelism");
    else if (predicts)
        text += fmt::format("        num_mtp_layers={},\n", setup.shape.mtp_layers);
    if (converter)
        text += fmt::format("        converters=[{}.Config({}model_compile_enabled=True)],\n", converter,
                            training.precision == Precision::nvfp4 ? "fqns=[\"layers\"], " : "");
    text += "    )\n";
    if (flavor && training.sequence_length > flavor->max_context)
        text += fmt::format("    for layer in model_spec.model.layers:\n"
                            "        layer.attention.rope = replace(layer.attention.rope, "
                            "max_context_length={})\n",
                            training.sequence_length);
    Json rows;
    const Plan resolved = acting_plan(setup);
    write_rows(torchtitan_rows(), resolved, rows);
    write_rows(torchtitan_main_rows(), resolved, rows);
    Json training_keywords = rows["training"];
    training_keywords["num_tokens_per_microbatch_per_dp_rank"] =
        training.micro_batch_size * training.sequence_length;
    training_keywords["num_tokens_per_train_step"] = training.global_batch_size * training.sequence_length;
    training_keywords["steps"] = train_steps(setup);
    const MemoryOptions& memory = setup.plan.memory;
    if (setup.zero >= 2 &&
        (memory.offload_optimizer != Offload::none || memory.offload_parameters != Offload::none))
        training_keywords["enable_cpu_offload"] = true;
    // CUDA graphs take no pipeline and no expert dispatch that synchronizes with the host.
    if (setup.pipeline > 1 || (setup.moe() && setup.expert > 1))
        training_keywords["disable_cuda_graphs"] = true;

    text += "    return replace(\n        base(),\n        model_spec=model_spec,\n"
            "        loss=ChunkedLossWrapper.Config(\n"
            "            loss_fn=CrossEntropyLoss.Config(global_vocab_size=decoder_vocab_size(model_spec)),\n"
            "        ),\n";
    text += call("parallelism", "ParallelismConfig", parallelism(setup, rows["parallelism"]));
    text += call("training", "TrainingConfig", training_keywords);
    text += fmt::format("        activation_checkpoint={},\n",
                        policy ? fmt::format("{}.Config()", policy) : std::string("None"));
    text += fmt::format("        compile=CompileConfig(enable={}),\n", compiled ? "True" : "False");
    text += "    )\n";

    if (setup.context > 1 && setup.context_kind != ContextKind::allgather)
        findings.differs("parallel.context_kind",
                         "keys and values are gathered: FlexAttention passes none around");
    if (setup.moe() && setup.expert == 1 && setup.tensor > 1 && setup.expert_tensor != setup.tensor)
        findings.differs("parallel.expert_tensor",
                         "experts are split over the tensor ranks: only expert ranks can keep them whole");
    if (setup.plan.training.attention == Attention::standard)
        findings.differs("training.attention", "FlexAttention: torchtitan has no other for language models");
    return text;
}

} // namespace shardlens::launchers
