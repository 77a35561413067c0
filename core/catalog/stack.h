// SPDX-License-Identifier: GPL-3.0-or-later
// What differs between training frameworks (stack) and between GPU generations (architecture) is data:
// presets/stacks/ID.json and presets/architectures/ID.json, each constant with its source. A file names what
// differs from generic.json of its folder, which names every constant; no value stands in code.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"
#include "json/result.h"

namespace shardlens {

/// How far the planner was off on published runs. runs = 0: never compared.
struct Accuracy {
    double step_median = 0, step_p90 = 0;     ///< relative error
    double memory_median = 0, memory_p90 = 0; ///< relative error
    std::int64_t runs = 0;                    ///< step-time rows compared

    [[nodiscard]] bool has_memory() const { return memory_median > 0 || memory_p90 > 0; }
};
/// The same for the runs of one GPU generation, dense or with experts.
struct AccuracyClass {
    std::string architecture;
    bool experts = false;
    Accuracy accuracy;
};

/// Which tensors a framework's layer keeps for backward, where frameworks differ.
enum class SavedStyle : std::uint8_t { megatron, megatron_2023, nanotron, torchtitan, huggingface };

struct StackProfile {
    std::string id, name, version, source;
    bool fitted = false; ///< the time factors were fitted on published runs of this stack (else: a judgement)

    // Time. Factors of 1 change nothing; units in the names.
    double gemm_efficiency = 0;      ///< factor on the architecture's GEMM efficiency
    double attention_efficiency = 0; ///< factor on the architecture's attention efficiency
    double elementwise_factor =
        0;                       ///< bytes moved by unfused elementwise kernels, against the fused reference
    double tensor_exposed = 0;   ///< share of tensor-parallel communication that is not hidden
    double data_exposed = 0;     ///< least share of the gradient reduction that is not hidden
    double pipeline_exposed = 0; ///< share of a stage-to-stage transfer that occupies the rank
    double expert_exposed = 0;   ///< share of the expert all-to-all that is not hidden
    double tensor_sync_s = 0;    ///< per layer and pass at t = 8
    double host_s_per_layer = 0; ///< CPU time to launch one layer's forward
    double host_backward_factor = 0; ///< backward over forward host time
    double host_tensor_s = 0;        ///< added host time per doubling of t, half of it
    double micro_batch_overhead_s = 0;
    double step_overhead_s = 0;
    double jitter_per_doubling = 0;            ///< slowdown per doubling of GPUs beyond 8
    double loss_bytes_per_logit = 0;           ///< memory traffic of the loss
    double optimizer_bytes_per_parameter = 0;  ///< memory traffic of the optimizer step
    double accumulate_bytes_per_parameter = 0; ///< memory traffic of gradient accumulation per micro-batch
    double nic_efficiency = 0;                 ///< usable share of the NIC rate
    double nic_share_exponent = 0;             ///< 1: k members of a group on a node drive k NICs fully
    double nic_share_partial = 0; ///< of those NICs, where a group holds a part of a node: its communicators
                                  ///< meet on the same cards
    double grouped_gemm_efficiency = 0;
    double expert_host_s = 0;
    double expert_sync_s = 0;
    double expert_exposed_virtual = 0; ///< further factor on expert_exposed with virtual_pipeline > 1
    bool expert_deduplication =
        false; ///< a token goes to another rank or node once, however many of its experts are there
    double expert_overlapped = 0; ///< least exposed share of an exchange under another micro-batch's compute
    double expert_traffic_factor =
        0; ///< bytes moved by permutation and expert activation, against the fused reference
    double efa_exchange_efficiency = 0; ///< usable share of the NIC rate in an all-to-all over AWS EFA
    double release_age_years = 0;       ///< of this release before the newest
    double kernel_progress = 0;         ///< how much slower other kernels were a year earlier
    double expert_progress =
        0; ///< how much slower expert kernels, exchanges and launches were a year earlier
    double partial_graph_domain = 0;   ///< NVLink domains above this size run attention and routing of expert
                                       ///< models as CUDA graphs; 0 = none
    double partial_graph_host = 0;     ///< share of the host time that is left then
    bool partial_graph_alone = false;  ///< so do plans of expert models without tensor and pipeline parallelism
                                       ///< and without recomputation, on any domain
    double mla_host_factor = 0;        ///< host time of a layer with latent attention against one without
    double full_graph_domain = 0;      ///< NVLink domains above this size run mxfp8 expert models as one CUDA
                                       ///< graph with fused grouped MLPs; 0 = none
    double fused_expert_traffic = 0;   ///< share of casts and expert activation that is left then
    double context_exposed = 0;        ///< least share of a ring context exchange that is not hidden
    bool context_unbalanced = false;   ///< the last context rank holds the longest causal rows
    double selective_linear_share = 0; ///< > 0: selective recomputation works by operator: this share of the
                                       ///< linears, no attention, all else
    double host_pipeline_tensor_s =
        0; ///< added host time per layer and tensor rank while pipeline transfers cross nodes
    double tensor_network_s = 0; ///< waits per collective and node of a tensor group on several nodes
    double pipeline_sync_s = 0;  ///< per pass with pipeline > 1: handshake before the transfer itself
    double gather_view_s = 0;    ///< ZeRO-1/2: host time per weight tensor and rank of the update's gather
    double reduce_bucket_s = 0;  ///< without ZeRO: fixed time per bucket of the gradient reduction
    double reduce_bucket_parameters = 0; ///< parameters of such a bucket
    bool reduces_every_pass = false;     ///< without ZeRO and with pipeline > 1: every micro-batch reduces
    bool shard_by_all_reduce = false;    ///< ZeRO-1 all-reduces after the last backward, then gathers
    double broadcast_s_per_rank = 0;     ///< ZeRO-1/2 update sent shard by shard: per shard rank beyond 8
    double accumulate_zero0_factor = 0;  ///< factor on accumulate_bytes_per_parameter without ZeRO
    bool older_attention_kernel = false; ///< FlashAttention 2 on Hopper and later
    double cpu_optimizer_parameters_per_s = 0; ///< CPU Adam, per GPU, host link included
    double nvme_bytes_per_s = 0;               ///< per GPU, read or write
    double host_smoothness = 0;                ///< exponent of the smooth maximum of device and host time
    double sharded_slowdown = 0;               ///< compute slows by this share while a gather is in flight
    double hiding_stretch = 0;                 ///< how far backward compute stretches to hide the reduction
    double hiding_room = 0, hiding_room_pipeline = 0; ///< share of the last backward that hides it
    double context_hiding = 0; ///< share of the attention that hides the ring's exchange
    // What stays visible when a plan asks for an overlap that the stack lacks.
    double asked_tensor_exposed = 0, asked_pipeline_exposed = 0, asked_data_exposed = 0;
    bool early_stop_recompute = false; ///< checkpointing stops before the last projection

    // What overlaps what.
    bool overlap_tensor = false, overlap_grad_reduce = true, overlap_param_gather = true,
         overlap_pipeline = false, overlap_expert = false;

    // Memory.
    double parameter_bytes = 0; ///< working copy, 16-bit training
    double gradient_extra_bytes =
        0; ///< 16-bit gradients beside an fp32 accumulator (nanotron, DeepSpeed bf16)
    double sharded_gradient_copy_bytes =
        0; ///< with 16-bit gradients: fp32 copy of the rank's shard (DeepSpeed fp16)
    Dtype gradient_dtype = Dtype::fp32;
    Dtype optimizer_dtype = Dtype::fp32;
    bool master_weights = true;   ///< fp32 master copy beside the moments
    bool all_fp32_states = false; ///< FSDP2: sharded parameters, gradients, moments all fp32
    double logits_bytes_per_value =
        0; ///< copies of the logits alive at the loss, bytes per token and vocabulary entry
    double parallel_logits_bytes_per_value =
        0; ///< the same where tensor ranks share the vocabulary; 0 = as without tensor parallelism
    double fragmentation_factor = 0; ///< reserved over allocated at the peak, minus 1
    double base_bytes = 0;           ///< what is left over in the allocator
    double context_bytes = 0;        ///< device context
    double communicator_bytes = 0;   ///< per active mesh dimension, beside the world's
    double runtime_bytes = 0;        ///< libraries' workspaces at the first forward
    double bucket_elements = 0;      ///< reduce and gather bucket kept beside the gradients; 0 = views
    double live_gather_elements = 0; ///< ZeRO-3: most gathered parameters alive; 0 = two layers (FSDP)
    double step_copy_bytes =
        0; ///< per parameter at the optimizer step without sharding (fp32 gradient copies)
    double step_gather_bytes = 0;  ///< per parameter at the sharded step (coalesced all-gather of the update)
    double working_set_factor = 0; ///< working set of one layer's backward, against 6·T·f/t
    double standard_attention_copies =
        0; ///< materialised attention: further tensors of its output's size kept
    bool keeps_quantised_inputs =
        false; ///< fp8 and fp4 linears keep the quantised copy of their input instead of the 16-bit one
    bool saves_gathered_inputs = false; ///< with SP the gathered inputs of column linears stay alive
    double shared_gather_buffers = 0;   ///< persistent buffers of T·h elements each with tensor > 1
    double checkpoint_factor = 0;       ///< kept bytes of a checkpointed layer against its 16-bit input
    double growth_tensor_bytes = 0;     ///< allocator growth per T·h and layer with tensor > 1, pipeline 1
    double run_ahead_layers = 0;        ///< most layers whose freed blocks the host gets ahead of
    double growth_pipeline = 0;         ///< the same with pipeline > 1, share of the activations in flight
    double lost_pipeline =
        0; ///< of that: what no flush of the allocator returns, with more micro-batches than in flight
    double growth_parameters = 0;         ///< the same, bytes per parameter
    std::int64_t vocabulary_multiple = 1; ///< vocabulary is padded to this times the tensor degree
    SavedStyle saved = SavedStyle::megatron;
    bool compiled = false;               ///< the compiler keeps only what the backward pass reads
    bool dummy_weight_gradients = false; ///< Transformer Engine keeps one per distinct weight shape

    // Habits.
    bool ends_count_as_layers = false; ///< embedding and head count as a layer each in the default split
    bool splits_by_cost = false;       ///< nanotron: stages cut by cumulative cost
    ContextKind context_kind = ContextKind::ring;
    std::uint32_t usual_recompute_modules = kRecomputeCoreAttention;
    double attention_square = 0; ///< 2: the kernel computes the full square although the mask is causal

    Accuracy accuracy;                           ///< over all runs of the stack
    std::vector<AccuracyClass> accuracy_classes; ///< where there are enough runs of a kind
    std::string accuracy_source;                 ///< how the errors were taken
    bool calibrated = false; ///< the errors are those of the very run that the profile was calibrated on
    std::string relative;    ///< id of the base it names: takes its values from there; "" = none
};

/// Kernel constants of a GPU generation.
struct Architecture {
    std::string id, source;
    double gemm_peak_fraction = 0; ///< e0: best-shape GEMM over the dense peak
    double gemm_k_half = 0;        ///< k0: K at which half of that is lost to the prologue
    double gemm_half_flops = 0;    ///< a: FLOPs at which half is reached
    double gemm_wave_softness = 0; ///< w_q
    double gemm_launch_s = 0;      ///< t0
    double gemm_backward_factor = 0;
    double grouped_gemm_factor = 0;
    double attention_peak_fraction = 0;
    double attention_backward_factor = 0;
    double attention_length_half = 0;
    double attention_head64_factor = 0; ///< head size up to 64 against 128
    double older_attention_factor = 0;  ///< speed of FlashAttention 2 against the generation's best kernel
    double misaligned_gemm_factor = 0;  ///< slowdown of attention GEMMs whose head size is no multiple of 8
    double memory_efficiency = 0;       ///< em
    double scale_up_efficiency = 0;     ///< nv
    double fp8_gain = 0, mxfp8_gain = 0, nvfp4_gain = 0; ///< GEMM speed over 16-bit before casts
    double fp8_attention_gain = 0;                       ///< speed of 8-bit attention over 16-bit
    double expert_gain_share = 0; ///< expert GEMMs gain this share of what plain ones gain
    double cast_bytes_per_element = 0;
    double all_to_all_scale_up_efficiency = 0, all_to_all_network_efficiency = 0;
    double collective_sqrt_s = 0; ///< per square root of a megabyte: the ramp of NCCL's protocols
    double efa_stall_s = 0;       ///< per expert exchange pass on AWS EFA
    double attention_head96_factor = 0, attention_large_head_factor = 0; ///< head size 65 to 96, above 160
    double attention_odd_head_factor = 0; ///< a head size that is no multiple of 32, on top of the others
    double attention_launch_s = 0;
    double attention_occupancy_floor = 0;                     ///< speed when hardly any block runs
    double score_forward_bytes = 0, score_backward_bytes = 0; ///< traffic per materialised score
    double in_switch_gain = 0;        ///< all-reduce in the switch against reduce-scatter + all-gather
    double tree_share = 0;            ///< bandwidth of a tree all-reduce against a ring's
    double in_switch_least_ranks = 0; ///< smaller groups do without
    double scale_up_latency_s = 0;    ///< per stage of a collective, where the node has no figure
    double network_latency_s = 0;     ///< per further domain of a collective
    double rank_latency_s = 0;        ///< per further rank of a collective
    double collective_ramp_bytes = 0; ///< the protocol ramp ends here
    double stream_share = 0;          ///< one point-to-point stream against a ring with all channels
    double message_network_s = 0, message_inside_s = 0; ///< latency of a point-to-point message
    double message_gather_s = 0;                        ///< gathering a scattered message behind it
    double power_exponent = 0;                          ///< clock over (power cap / rated power)
};

/// The numeric constant called `key`, null when there is none. `low` and `high`: its bounds as read from a
/// file.
struct NumberField {
    double* value = nullptr;
    double low = 0, high = 0;
};
[[nodiscard]] NumberField number_field(StackProfile& stack, std::string_view key);
[[nodiscard]] NumberField number_field(Architecture& architecture, std::string_view key);

/// Reads a profile on top of `base` (generic.json; null for that file itself, which must name every number).
/// Unknown keys are errors. The table of numeric factors (key ↔ member) is in stack.cpp, so
/// that a new constant is one member and one row.
[[nodiscard]] Result<StackProfile> stack_from_json(const nlohmann::ordered_json& object,
                                                   const std::string& origin, const std::string& version,
                                                   const StackProfile* base);
[[nodiscard]] Result<Architecture> architecture_from_json(const nlohmann::ordered_json& object,
                                                          const std::string& origin,
                                                          const Architecture* base);

} // namespace shardlens
