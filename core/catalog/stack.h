// SPDX-License-Identifier: GPL-3.0-or-later
// What differs between training frameworks (stack) and between GPU generations (architecture) is data:
// presets/stacks/ID.json and presets/architectures/ID.json, each constant with its source.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"
#include "json/result.h"

namespace shardlens {

/// One published-run comparison of a stack: how far the planner was off. runs = 0: never compared.
struct Accuracy {
    double step_median = 0, step_p90 = 0;     ///< relative error
    double memory_median = 0, memory_p90 = 0; ///< relative error
    std::int64_t runs = 0;                    ///< step-time rows compared
};

/// Which tensors a framework's layer keeps for backward, where frameworks differ.
enum class SavedStyle : std::uint8_t { megatron, megatron_2023, nanotron, torchtitan, huggingface };

struct StackProfile {
    std::string id, name, version, source;
    bool fitted = false; ///< the time factors were fitted on published runs of this stack (else: a judgement)

    // Time. Factors of 1 change nothing; units in the names.
    double gemm_efficiency = 0.92;   ///< factor on the architecture's GEMM efficiency
    double attention_efficiency = 1; ///< factor on the architecture's attention efficiency
    double elementwise_factor =
        0.9;                     ///< bytes moved by unfused elementwise kernels, against the fused reference
    double tensor_exposed = 0.8; ///< share of tensor-parallel communication that is not hidden
    double data_exposed = 0.5;   ///< least share of the gradient reduction that is not hidden
    double pipeline_exposed = 0.8;    ///< share of a stage-to-stage transfer that occupies the rank
    double expert_exposed = 1;        ///< share of the expert all-to-all that is not hidden
    double tensor_sync_s = 40e-6;     ///< per layer and pass at t = 8
    double host_s_per_layer = 380e-6; ///< CPU time to launch one layer's forward
    double host_backward_factor = 1;  ///< backward over forward host time
    double host_tensor_s = 120e-6;    ///< added host time per doubling of t, half of it
    double micro_batch_overhead_s = 2e-3;
    double step_overhead_s = 38e-3;
    double jitter_per_doubling = 0.005;        ///< slowdown per doubling of GPUs beyond 8
    double loss_bytes_per_logit = 22;          ///< memory traffic of the loss
    double optimizer_bytes_per_parameter = 34; ///< memory traffic of the optimizer step
    double accumulate_bytes_per_parameter = 3; ///< memory traffic of gradient accumulation per micro-batch
    double nic_efficiency = 0.9;               ///< usable share of the NIC rate
    double nic_share_exponent = 0.92;          ///< 1: k members of a group on a node drive k NICs fully
    double grouped_gemm_efficiency = 1;
    double expert_host_s = 300e-6;
    double expert_sync_s = 0;
    double expert_exposed_virtual = 1; ///< further factor on expert_exposed with virtual_pipeline > 1
    bool expert_deduplication =
        false; ///< a token crosses to another node once, however many of its experts are there
    double context_exposed = 0.2;       ///< least share of a ring context exchange that is not hidden
    bool context_unbalanced = false;    ///< the last context rank holds the longest causal rows
    double selective_forward_share = 0; ///< > 0: selective recomputation repeats this share of a forward pass
    double host_pipeline_tensor_s = 0;  ///< added host time per layer and tensor rank with pipeline > 1
    double broadcast_s_per_rank = 0;    ///< ZeRO-1/2 update sent shard by shard: per shard rank beyond 8
    double accumulate_zero0_factor = 1; ///< factor on accumulate_bytes_per_parameter without ZeRO
    bool older_attention_kernel = false;            ///< FlashAttention 2 on Hopper and later
    double cpu_optimizer_parameters_per_s = 0.53e9; ///< CPU Adam, per GPU, host link included
    double nvme_bytes_per_s = 3e9;                  ///< per GPU, read or write
    bool early_stop_recompute = false;              ///< checkpointing stops before the last projection

    // What overlaps what.
    bool overlap_tensor = false, overlap_grad_reduce = true, overlap_param_gather = true,
         overlap_pipeline = false, overlap_expert = false;

    // Memory.
    double parameter_bytes = 2; ///< working copy, 16-bit training
    double gradient_extra_bytes =
        0; ///< 16-bit gradients beside an fp32 accumulator (nanotron, DeepSpeed bf16)
    double sharded_gradient_copy_bytes =
        0; ///< with 16-bit gradients: fp32 copy of the rank's shard (DeepSpeed fp16)
    Dtype gradient_dtype = Dtype::fp32;
    Dtype optimizer_dtype = Dtype::fp32;
    bool master_weights = true;   ///< fp32 master copy beside the moments
    bool all_fp32_states = false; ///< FSDP2: sharded parameters, gradients, moments all fp32
    double logits_bytes_per_value =
        6; ///< copies of the logits alive at the loss, bytes per token and vocabulary entry
    double fragmentation_factor = 0.05;             ///< reserved over allocated at the peak, minus 1
    double base_bytes = 0.3 * 1073741824.0;         ///< what is left over in the allocator
    double context_bytes = 0.52 * 1073741824.0;     ///< device context
    double communicator_bytes = 0.4 * 1073741824.0; ///< per active mesh dimension, beside the world's
    double runtime_bytes = 1.0 * 1073741824.0;      ///< libraries' workspaces at the first forward
    double bucket_elements = 0;      ///< reduce and gather bucket kept beside the gradients; 0 = views
    double live_gather_elements = 0; ///< ZeRO-3: most gathered parameters alive; 0 = two layers (FSDP)
    double step_copy_bytes =
        0; ///< per parameter at the optimizer step without sharding (fp32 gradient copies)
    double step_gather_bytes = 0;  ///< per parameter at the sharded step (coalesced all-gather of the update)
    double working_set_factor = 1; ///< working set of one layer's backward, against 6·T·f/t
    bool saves_gathered_inputs = false;   ///< with SP the gathered inputs of column linears stay alive
    double shared_gather_buffers = 0;     ///< persistent buffers of T·h elements each with tensor > 1
    double checkpoint_factor = 1;         ///< kept bytes of a checkpointed layer against its 16-bit input
    double growth_tensor_bytes = 0;       ///< allocator growth per T·h and layer with tensor > 1, pipeline 1
    double growth_pipeline = 0;           ///< the same with pipeline > 1, share of the activations in flight
    double growth_parameters = 0;         ///< the same, bytes per parameter
    std::int64_t vocabulary_multiple = 1; ///< vocabulary is padded to this times the tensor degree
    SavedStyle saved = SavedStyle::megatron;
    bool dummy_weight_gradients = false; ///< Transformer Engine keeps one per distinct weight shape

    // Habits.
    bool ends_count_as_layers = false; ///< embedding and head count as a layer each in the default split
    bool splits_by_cost = false;       ///< nanotron: stages cut by cumulative cost
    ContextKind context_kind = ContextKind::ring;
    std::uint32_t usual_recompute_modules = kRecomputeCoreAttention;
    double attention_square = 1; ///< 2: the kernel computes the full square although the mask is causal

    Accuracy accuracy;
};

/// Kernel constants of a GPU generation.
struct Architecture {
    std::string id, source;
    double gemm_peak_fraction = 0.85; ///< e0: best-shape GEMM over the dense peak
    double gemm_k_half = 60;          ///< k0: K at which half of that is lost to the prologue
    double gemm_half_flops = 6e9;     ///< a: FLOPs at which half is reached
    double gemm_wave_softness = 0.35; ///< w_q
    double gemm_launch_s = 5e-6;      ///< t0
    double gemm_backward_factor = 1;
    double grouped_gemm_factor = 0.84;
    double attention_peak_fraction = 0.67;
    double attention_backward_factor = 0.77;
    double attention_length_half = 564;
    double attention_head64_factor = 0.86; ///< head size up to 64 against 128
    double older_attention_factor = 1;     ///< speed of FlashAttention 2 against the generation's best kernel
    double misaligned_gemm_factor = 17; ///< slowdown of attention GEMMs whose head size is no multiple of 8
    double memory_efficiency = 0.7;     ///< em
    double scale_up_efficiency = 0.72;  ///< nv
    double fp8_gain = 1.9, mxfp8_gain = 1.95, nvfp4_gain = 3.6; ///< GEMM speed over 16-bit before casts
    double expert_gain_share = 0.8; ///< expert GEMMs gain this share of what plain ones gain
    double cast_bytes_per_element = 2.7;
    double all_to_all_scale_up_efficiency = 0.96, all_to_all_network_efficiency = 0.88;
    double collective_sqrt_s = 3.1e-6; ///< per square root of a megabyte: the ramp of NCCL's protocols
    double efa_stall_s = 3.2e-3;       ///< per expert exchange pass on AWS EFA
};

/// The numeric constant called `key`, null when there is none. `low` and `high`: its bounds as read from a file.
struct NumberField {
    double* value = nullptr;
    double low = 0, high = 0;
};
[[nodiscard]] NumberField number_field(StackProfile& stack, std::string_view key);
[[nodiscard]] NumberField number_field(Architecture& architecture, std::string_view key);

/// Reads a profile; unknown keys are errors. The table of numeric factors (key ↔ member) is in stack.cpp, so
/// that a new constant is one member and one row.
[[nodiscard]] Result<StackProfile> stack_from_json(const nlohmann::ordered_json& object,
                                                   const std::string& origin, const std::string& version);
[[nodiscard]] Result<Architecture> architecture_from_json(const nlohmann::ordered_json& object,
                                                          const std::string& origin);

} // namespace shardlens
