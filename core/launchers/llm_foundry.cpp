// SPDX-License-Identifier: GPL-3.0-or-later
// llm-foundry: train.yaml holds the MPT model, batch and FSDP (llmfoundry/utils/config_utils.py,
// llmfoundry/models/mpt/configuration_mpt.py, composer/utils/parallelism.py).
#include "launchers/llm_foundry.h"

#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launchers/common.h"
#include "launchers/document_text.h"
#include "launchers/findings.h"
#include "launchers/makers.h"
#include "plan/fields.h"

namespace shardlens::launchers {

std::span<const KeyRow> llm_foundry_rows() {
    static const std::array kRows = {
        KeyRow{"training.sequence_length", "max_seq_len"},
        KeyRow{"model.layers", "model.n_layers"},
        KeyRow{"model.hidden", "model.d_model"},
        KeyRow{"model.heads", "model.n_heads"},
        KeyRow{"model.head_dim", "model.head_dim"},
        KeyRow{"model.vocab", "model.vocab_size"},
        KeyRow{"model.tied_embeddings", "model.tie_word_embeddings"},
        KeyRow{"model.norm", "model.norm_type", {{"rmsnorm", "rmsnorm"}, {"layernorm", "layernorm"}}},
        KeyRow{
            "training.attention", "model.attn_config.attn_impl", {{"flash", "flash"}, {"standard", "torch"}}},
        KeyRow{"model.kv_heads", "model.attn_config.kv_n_heads"},
        KeyRow{"training.micro_batch_size", "device_train_microbatch_size"},
        KeyRow{"training.precision",
               "precision",
               {{"bf16", "amp_bf16"}, {"fp16", "amp_fp16"}, {"fp32", "fp32"}, {"fp8", "amp_fp8"}}},
        KeyRow{"memory.recompute",
               "fsdp_config.activation_checkpointing",
               {{"none", "false"}, {"full", "true"}, {"selective", "true"}}},
        KeyRow{"memory.offload_activations",
               "fsdp_config.activation_cpu_offload",
               {{"none", "false"}, {"cpu", "true"}, {"nvme", "true"}}},
    };
    return kRows;
}

namespace {

using Json = nlohmann::ordered_json;

void write_model(const Findings& findings, Json& model) {
    const Setup& setup = findings.setup;
    const ModelShape& shape = setup.shape;
    model["name"] = "mpt_causal_lm";
    model["init_device"] = "meta";
    model["max_seq_len"] = setup.plan.training.sequence_length;
    const bool biases = shape.biases.qkv && shape.biases.attn_out && shape.biases.mlp;
    model["no_bias"] = !biases;
    if (shape.biases.qkv != biases) model["attention_bias"] = shape.biases.qkv;
    model["learned_pos_emb"] = shape.learned_positions > 0;
    Json& attention = model["attn_config"];
    attention["attn_type"] = shape.kv() == shape.heads ? "multihead_attention"
                             : shape.kv() == 1         ? "multiquery_attention"
                                                       : "grouped_query_attention";
    if (shape.kv() == shape.heads || shape.kv() == 1) attention.erase("kv_n_heads");
    if (shape.learned_positions == 0) attention["rope"] = true;
    if (shape.qk_norm == QkNorm::full) attention["qk_ln"] = true;
    if (shape.qk_norm == QkNorm::per_head) attention["qk_gn"] = true;
    const bool windowed = shape.attention_window > 0 && shape.global_attention_every == 0 &&
                          setup.plan.training.attention == Attention::flash;
    if (windowed) attention["sliding_window_size"] = shape.attention_window;
    Json& ffn = model["ffn_config"];
    if (setup.moe()) {
        ffn["ffn_type"] = "mb_dmoe";
        ffn["ffn_hidden_size"] = shape.moe->expert_ffn;
        ffn["moe_num_experts"] = shape.moe->experts;
        ffn["moe_top_k"] = shape.moe->top_k;
        ffn["moe_world_size"] = 1;
        ffn["mlp_type"] = shape.gated_mlp ? "glu" : "mlp";
        ffn["mlp_impl"] = "grouped";
        ffn["bias"] = false;
    } else {
        ffn["ffn_type"] = shape.gated_mlp ? "mptglu" : "mptmlp";
        ffn["ffn_hidden_size"] = shape.ffn_hidden;
    }
    if (shape.gated_mlp) ffn["ffn_act_fn"] = {{"name", "silu"}};

    using enum ShapeFeature;
    const bool partly = shape.biases.mlp != biases || shape.biases.attn_out != biases || shape.biases.lm_head;
    findings.model_differs({plain_mlp, layer_norms, qk_norm, head_size, qkv_biases,
                            partly ? qkv_biases : other_biases, tied_embeddings, learned_positions,
                            windowed ? windows : qkv_biases, experts});
}

/// The whole block of the first n layers, or parts of every layer (MPTModel.activation_checkpointing_fn).
void write_recompute(const Findings& findings, Json& document) {
    const Setup& setup = findings.setup;
    const MemoryOptions& memory = setup.plan.memory;
    Json& fsdp = document["fsdp_config"];
    if (memory.recompute != Recompute::none) fsdp["activation_checkpointing_reentrant"] = false;
    if (memory.recompute == Recompute::full && memory.recompute_layers > 0)
        document["model"]["activation_checkpointing_target"] = {
            {"mptblock", fmt::format("first-{}", memory.recompute_layers)}};
    if (memory.recompute == Recompute::selective) {
        const std::uint32_t mlp = kRecomputeMlp | kRecomputeMlpAct, wanted = setup.recompute_modules;
        Json targets = Json::array();
        if ((wanted & kRecomputeCoreAttention) != 0)
            targets.push_back(document["model"]["attn_config"]["attn_type"]);
        if ((wanted & mlp) != 0 && !setup.moe())
            targets.push_back(document["model"]["ffn_config"]["ffn_type"]);
        if (targets.empty()) fsdp["activation_checkpointing"] = false;
        if (!targets.empty()) document["model"]["activation_checkpointing_target"] = targets;
        if (targets.empty())
            findings.differs("memory.recompute", "nothing is recomputed: llm-foundry has no such modules");
        else
            findings.differs("memory.recompute_modules", "whole attention or MLP modules are recomputed");
        if (memory.recompute_layers > 0)
            findings.differs("memory.recompute_layers", "the modules are recomputed in every layer");
    }
    if (memory.offload_activations == Offload::nvme)
        findings.differs("memory.offload_activations", "to host memory: llm-foundry cannot write to NVMe");
    if (memory.offload_activations != Offload::none && memory.offload_layers > 0)
        findings.differs("memory.offload_layers", "the activations of every layer leave the GPU");
}

void write_sharding(const Findings& findings, Json& document) {
    const Setup& setup = findings.setup;
    Json& fsdp = document["fsdp_config"];
    const bool hybrid = setup.zero >= 2 && setup.shard < setup.data;
    const char* full = hybrid ? "HYBRID_SHARD" : "FULL_SHARD";
    const char* grad_op = hybrid ? "_HYBRID_SHARD_ZERO2" : "SHARD_GRAD_OP";
    fsdp["sharding_strategy"] = setup.zero >= 3 ? full : setup.zero == 2 ? grad_op : "NO_SHARD";
    if (hybrid) {
        fsdp["data_parallel_replicate_degree"] = setup.data / setup.shard;
        fsdp["data_parallel_shard_degree"] = setup.shard;
    }
    // DEFAULT reduces gradients in fp32, PURE in the training precision (mosaic_parallelism.py).
    fsdp["mixed_precision"] = setup.gradient_dtype == Dtype::fp32 ? "DEFAULT" : "PURE";
    if (setup.gradient_dtype != Dtype::fp32 && setup.gradient_dtype != working_dtype(setup))
        findings.differs("training.gradient_dtype", "gradients have the training precision");
    fsdp["limit_all_gathers"] = true;
    fsdp["state_dict_type"] = "sharded";
    if (setup.tensor == 1) return;
    document["tp_config"] = {{"strategy", "ffn"}, {"tensor_parallel_degree", setup.tensor}};
    findings.differs(
        "parallel.tensor",
        "only the MLP is split over the tensor ranks: register a strategy of your own for attention");
    if (setup.sequence)
        findings.differs("parallel.sequence",
                         "norms and dropout work on whole sequences on every tensor rank");
}

void write_batch(const Findings& findings, Json& document) {
    const Setup& setup = findings.setup;
    const std::int64_t batch = setup.plan.training.global_batch_size;
    document["global_train_batch_size"] = batch * setup.tensor;
    document["device_eval_batch_size"] = setup.plan.training.micro_batch_size;
    document["train_loader"] = {
        {"name", "text"},
        {"dataset",
         {{"local", "my-data"}, {"split", "train"}, {"max_seq_len", "${max_seq_len}"}, {"shuffle", true}}},
        {"drop_last", true},
        {"num_workers", 8}};
    if (setup.tensor == 1) return;
    document["train_loader"]["dataset"]["replication"] = setup.tensor;
    findings.differs("training.global_batch_size",
                     fmt::format("global_train_batch_size is {}: llm-foundry divides it by all GPUs, and {} "
                                 "tensor ranks read the same samples",
                                 batch * setup.tensor, setup.tensor));
}

void find_differences(const Findings& findings) {
    const Setup& setup = findings.setup;
    const Precision precision = setup.plan.training.precision;
    if (precision == Precision::mxfp8 || precision == Precision::nvfp4)
        findings.differs("training.precision",
                         fmt::format("amp_fp8: llm-foundry has no {}", to_string(precision)));
    if (setup.optimizer_dtype != Dtype::fp32)
        findings.differs("training.optimizer_dtype", "moments are kept in fp32");
    findings.only_adamw("llm-foundry");
    const MemoryOptions& memory = setup.plan.memory;
    if (memory.offload_optimizer != Offload::none)
        findings.differs("memory.offload_optimizer", "optimizer states stay on the GPU");
    if (memory.offload_parameters != Offload::none)
        findings.differs("memory.offload_parameters", "parameters stay on the GPU");
    if (!same_placement(setup, "tp-cp-ep-dp-pp"))
        findings.differs(
            "parallel.rank_order",
            "ranks land in composer's order: tensor neighbours first, then shards, then replicas");
}

} // namespace

Export make_llm_foundry(const Setup& setup, const Report&, std::string_view version) {
    Export result;
    const std::string target = fmt::format("llm-foundry@{}", version);
    const Findings findings{setup, result};
    check_hosts(setup, result);
    add_refusals(setup, target, result);
    Json document = {
        {"max_seq_len", nullptr},
        {"variables", {{"tokenizer_name", "EleutherAI/gpt-neox-20b"}}},
        {"model", Json::object()},
        {"tokenizer",
         {{"name", "${variables.tokenizer_name}"}, {"kwargs", {{"model_max_length", "${max_seq_len}"}}}}}};
    write_rows(llm_foundry_rows(), acting_plan(setup), document);
    write_model(findings, document["model"]);
    write_batch(findings, document);
    document["optimizer"] = {{"name", "decoupled_adamw"},
                             {"lr", 3e-4},
                             {"betas", {0.9, 0.95}},
                             {"eps", 1e-8},
                             {"weight_decay", 0.0}};
    document["scheduler"] = {{"name", "cosine_with_warmup"}, {"t_warmup", "100ba"}, {"alpha_f", 0.1}};
    document["max_duration"] = fmt::format("{}ba", train_steps(setup));
    if (!document.contains("precision")) document["precision"] = "amp_fp8";
    document["seed"] = 17;
    write_sharding(findings, document);
    write_recompute(findings, document);
    find_differences(findings);
    if (!result.refusals.empty()) return result;

    result.files.push_back(
        {"train.yaml",
         file_header(setup, target, "learning rate, data, tokenizer, checkpoints", result) +
             yaml_text(document),
         false});
    // composer starts the processes itself, from the same numbers as torchrun.
    const std::string start = fmt::format(
        "exec composer --nproc \"$NPROC_PER_NODE\" --world_size {} --node_rank \"$NODE_RANK\" \\\n"
        "    --base_rank \"$((NODE_RANK * {}))\" \\\n"
        "    --master_addr \"$MASTER_ADDR\" --master_port \"$MASTER_PORT\" \\\n"
        "    \"${{LLM_FOUNDRY_DIR:-.}}/scripts/train/train.py\" \"$here/train.yaml\"\n",
        setup.world(), processes_per_node(setup));
    add_launch_files(setup, target, start, result);
    return result;
}

} // namespace shardlens::launchers
