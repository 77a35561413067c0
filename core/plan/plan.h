// SPDX-License-Identifier: GPL-3.0-or-later
// The one input: what is trained (model), on what (cluster), how (training, parallel, memory) with which
// software (stack). A plain value. Names, units and defaults are those of the contract; std::optional and
// empty strings mean "left out", and catalog/setup.h fills them in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace shardlens {

inline constexpr const char* kPlanSchema = "shardlens/plan/1";

struct MoeShape {
    std::int64_t experts = 0;
    std::int64_t top_k = 0;
    std::int64_t expert_ffn = 0;
    std::int64_t shared_ffn = 0;
    std::int64_t dense_layers = 0; ///< the first n layers are dense
    std::int64_t layer_step = 1;   ///< after those, every layer_step-th layer is MoE
    double capacity_factor = 0;    ///< 0 = dropless
    bool score_bias = false;

    bool operator==(const MoeShape&) const = default;
};

/// Multi-head latent attention.
struct MlaShape {
    std::int64_t q_rank = 0; ///< 0 = queries are not compressed
    std::int64_t kv_rank = 0;
    std::int64_t qk_nope = 0;
    std::int64_t qk_rope = 0;
    std::int64_t v_dim = 0;

    bool operator==(const MlaShape&) const = default;
};

enum class QkNorm : std::uint8_t { none, per_head, full };
enum class NormKind : std::uint8_t { rmsnorm, layernorm };

/// Which linear layers carry a bias.
struct Biases {
    bool qkv = false, attn_out = false, mlp = false, lm_head = false, router = false, experts = false;

    /// `"biases": true` of a plan: every linear layer of the blocks (qkv, attn_out, mlp, experts), not the head or router.
    [[nodiscard]] static Biases all() { return {true, true, true, false, false, true}; }
    bool operator==(const Biases&) const = default;
};

/// The architecture of a decoder-only transformer: enough to count, place and time every tensor.
struct ModelShape {
    std::string name;
    std::int64_t layers = 0;
    std::int64_t hidden = 0;
    std::int64_t heads = 0;
    std::optional<std::int64_t> kv_heads; ///< left out: heads
    std::optional<std::int64_t> head_dim; ///< left out: hidden / heads
    std::int64_t ffn_hidden = 0;
    bool gated_mlp = false;
    std::string activation;
    std::int64_t vocab = 0;
    bool tied_embeddings = false;
    std::int64_t learned_positions = 0;
    NormKind norm = NormKind::rmsnorm;
    bool norm_bias = false;
    std::int64_t norms_per_layer = 2;
    bool final_norm = true;
    QkNorm qk_norm = QkNorm::none;
    Biases biases;
    std::int64_t attention_window = 0;       ///< 0 = full attention
    std::int64_t global_attention_every = 0; ///< every n-th layer attends fully; 0 = all layers are windowed
    bool attention_sinks = false;            ///< one learned scalar per head
    std::int64_t embedding_dim = 0;          ///< 0 = hidden
    bool embedding_norm = false;
    bool parallel_block = false;
    std::optional<MoeShape> moe;
    std::optional<MlaShape> mla;
    std::int64_t mtp_layers = 0;
    std::optional<double> parameters; ///< a total given instead of counted; textbook fidelity only

    [[nodiscard]] std::int64_t kv() const { return kv_heads.value_or(heads); }
    [[nodiscard]] std::int64_t head_size() const { return head_dim.value_or(heads > 0 ? hidden / heads : 0); }
    [[nodiscard]] std::int64_t embedding_width() const { return embedding_dim > 0 ? embedding_dim : hidden; }
    bool operator==(const ModelShape&) const = default;
};

/// A node preset and how many GPUs; every optional overrides the preset (or its accelerator).
struct ClusterSpec {
    std::string node;
    std::int64_t gpus = 0;
    std::optional<std::string> accelerator;
    std::optional<std::int64_t> gpus_per_node;
    std::optional<double> memory_bytes;
    std::optional<double> memory_bandwidth_bytes_per_s;
    std::optional<double> scale_up_bytes_per_s_per_gpu;  ///< one direction
    std::optional<double> scale_out_bytes_per_s_per_gpu; ///< one direction
    std::optional<std::int64_t> scale_up_domain;
    std::optional<std::int64_t> nodes_per_pod;
    std::optional<double> oversubscription;
    std::optional<double> host_memory_bytes;
    std::optional<double> power_w;
    std::optional<double> dollars_per_gpu_hour;
    std::optional<double> mtbf_hours_per_gpu;
    std::optional<double> checkpoint_bytes_per_s;
    std::optional<double> pue;
    std::optional<double> kg_co2_per_kwh;
    std::vector<std::string> hosts;

    bool operator==(const ClusterSpec&) const = default;
};

enum class Precision : std::uint8_t { fp32, fp16, bf16, fp8, mxfp8, nvfp4 };
enum class Optimizer : std::uint8_t { adamw, sgd, adafactor, muon, adamw_8bit };
enum class Attention : std::uint8_t { flash, standard };
enum class Dtype : std::uint8_t { fp32, bf16, fp16 };

struct Training {
    std::int64_t sequence_length = 0;
    std::int64_t micro_batch_size = 0;
    std::int64_t global_batch_size = 0;
    Precision precision = Precision::bf16;
    Optimizer optimizer = Optimizer::adamw;
    Attention attention = Attention::flash;
    std::optional<Dtype> gradient_dtype;  ///< left out: the stack's usual
    std::optional<Dtype> optimizer_dtype; ///< dtype of the moments; left out: the stack's usual
    std::optional<double> tokens;         ///< left out: no time to train, no cost
    double moe_imbalance = 1.0;
    double assumed_mfu = 0.4; ///< textbook only

    bool operator==(const Training&) const = default;
};

enum class ScheduleKind : std::uint8_t {
    gpipe, one_f_one_b, one_f_one_b_eager, interleaved, interleaved_ep, bfs, zb_h1, interleaved_zb, zb_h2,
    zb_v, v_half, v_min, one_f_one_b_v, dualpipe, dualpipe_v, chimera, hanayo, pipedream,
};
enum class ContextKind : std::uint8_t { ring, ulysses, allgather };

struct Parallel {
    std::int64_t tensor = 1;
    bool sequence = false;
    std::int64_t pipeline = 1;
    std::int64_t virtual_pipeline = 1;
    std::int64_t virtual_pipeline_group = 0; ///< micro-batches per chunk visit; 0 = the schedule's default
    std::int64_t context = 1;
    std::optional<ContextKind> context_kind; ///< left out: what target or stack can do
    std::int64_t expert = 1;
    std::int64_t expert_tensor = 1;
    std::optional<std::int64_t> data; ///< left out: gpus / (tensor · pipeline · context)
    std::int64_t zero = 0;
    std::int64_t shard_group = 0;              ///< hybrid sharding over k ranks; 0 = the whole group
    std::optional<ScheduleKind> schedule;      ///< left out: 1f1b, or interleaved when virtual_pipeline > 1
    std::vector<std::int64_t> layers_per_stage; ///< per rank (p) or per chunk in model order (p·v); [] = the stack's split
    std::string rank_order = "tp-cp-ep-dp-pp";  ///< left-most varies fastest; launcher names accepted

    bool operator==(const Parallel&) const = default;
};

enum class Recompute : std::uint8_t { none, selective, full };
enum class RecomputeMethod : std::uint8_t { uniform, block };
enum class Offload : std::uint8_t { none, cpu, nvme };
/// Bits of `recompute_modules`.
enum RecomputeModule : std::uint32_t {
    kRecomputeCoreAttention = 1u << 0,
    kRecomputeLayernorm = 1u << 1,
    kRecomputeMlp = 1u << 2,
    kRecomputeMlpAct = 1u << 3,
    kRecomputeMoe = 1u << 4,
    kRecomputeMoeAct = 1u << 5,
    kRecomputeMlaUpProj = 1u << 6,
    kRecomputeSharedExperts = 1u << 7,
};

struct MemoryOptions {
    Recompute recompute = Recompute::none;
    std::uint32_t recompute_modules = 0; ///< RecomputeModule bits; 0 with selective = the stack's usual
    std::optional<RecomputeMethod> recompute_method;
    std::int64_t recompute_layers = 0; ///< the first n layers of each pipeline rank; 0 = all
    Offload offload_optimizer = Offload::none;
    Offload offload_parameters = Offload::none;
    Offload offload_activations = Offload::none;
    std::int64_t offload_layers = 0; ///< activations of n layers of each rank; 0 = all
    double usable_fraction = 0.9;

    bool operator==(const MemoryOptions&) const = default;
};

/// Overrides of what the stack overlaps; empty = the stack's own.
struct OverlapOptions {
    std::optional<bool> tensor, grad_reduce, param_gather, pipeline, expert;

    bool operator==(const OverlapOptions&) const = default;
};

enum class Fidelity : std::uint8_t { textbook, detailed };

struct Plan {
    std::string name;
    std::string stack = "generic";
    std::string stack_version; ///< "" = the newest
    std::string target;        ///< launcher@version whose own rules apply on top; "" = none
    std::variant<std::string, ModelShape> model; ///< preset id or a shape
    ClusterSpec cluster;
    Training training;
    Parallel parallel;
    MemoryOptions memory;
    OverlapOptions overlap;
    Fidelity fidelity = Fidelity::detailed;

    bool operator==(const Plan&) const = default;
};

} // namespace shardlens
