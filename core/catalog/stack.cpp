// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/stack.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <variant>

#include "json/strict_json.h"

namespace shardlens {
namespace {

using Json = nlohmann::ordered_json;

/// One row per constant: key in the file, member, bounds. A new constant is one member and one row.
template <class T> struct Number {
    const char* key;
    double T::*member;
    double low, high;
};
template <class T> struct Switch {
    const char* key;
    bool T::*member;
};

constexpr double kGibi = 1073741824.0;

constexpr std::array kStackNumbers = {
    Number<StackProfile>{"gemm_efficiency", &StackProfile::gemm_efficiency, 0.05, 2},
    Number<StackProfile>{"attention_efficiency", &StackProfile::attention_efficiency, 0.05, 2},
    Number<StackProfile>{"elementwise_factor", &StackProfile::elementwise_factor, 0.05, 10},
    Number<StackProfile>{"tensor_exposed", &StackProfile::tensor_exposed, 0, 1},
    Number<StackProfile>{"data_exposed", &StackProfile::data_exposed, 0, 2},
    Number<StackProfile>{"pipeline_exposed", &StackProfile::pipeline_exposed, 0, 2},
    Number<StackProfile>{"expert_exposed", &StackProfile::expert_exposed, 0, 3},
    Number<StackProfile>{"tensor_sync_s", &StackProfile::tensor_sync_s, 0, 0.01},
    Number<StackProfile>{"host_s_per_layer", &StackProfile::host_s_per_layer, 0, 0.1},
    Number<StackProfile>{"host_backward_factor", &StackProfile::host_backward_factor, 0.1, 10},
    Number<StackProfile>{"host_tensor_s", &StackProfile::host_tensor_s, 0, 0.1},
    Number<StackProfile>{"micro_batch_overhead_s", &StackProfile::micro_batch_overhead_s, 0, 1},
    Number<StackProfile>{"step_overhead_s", &StackProfile::step_overhead_s, 0, 60},
    Number<StackProfile>{"jitter_per_doubling", &StackProfile::jitter_per_doubling, 0, 0.5},
    Number<StackProfile>{"loss_bytes_per_logit", &StackProfile::loss_bytes_per_logit, 0, 500},
    Number<StackProfile>{"optimizer_bytes_per_parameter", &StackProfile::optimizer_bytes_per_parameter, 0,
                         1000},
    Number<StackProfile>{"accumulate_bytes_per_parameter", &StackProfile::accumulate_bytes_per_parameter, 0,
                         500},
    Number<StackProfile>{"accumulate_zero0_factor", &StackProfile::accumulate_zero0_factor, 0, 10},
    Number<StackProfile>{"nic_efficiency", &StackProfile::nic_efficiency, 0.05, 1.5},
    Number<StackProfile>{"nic_share_exponent", &StackProfile::nic_share_exponent, 0, 1},
    Number<StackProfile>{"nic_share_partial", &StackProfile::nic_share_partial, 0.05, 1},
    Number<StackProfile>{"grouped_gemm_efficiency", &StackProfile::grouped_gemm_efficiency, 0.05, 3},
    Number<StackProfile>{"expert_host_s", &StackProfile::expert_host_s, 0, 0.1},
    Number<StackProfile>{"expert_sync_s", &StackProfile::expert_sync_s, 0, 0.1},
    Number<StackProfile>{"expert_exposed_virtual", &StackProfile::expert_exposed_virtual, 0, 1},
    Number<StackProfile>{"expert_overlapped", &StackProfile::expert_overlapped, 0, 1},
    Number<StackProfile>{"expert_traffic_factor", &StackProfile::expert_traffic_factor, 0.05, 10},
    Number<StackProfile>{"efa_exchange_efficiency", &StackProfile::efa_exchange_efficiency, 0.05, 1.5},
    Number<StackProfile>{"release_age_years", &StackProfile::release_age_years, 0, 20},
    Number<StackProfile>{"kernel_progress", &StackProfile::kernel_progress, 0, 2},
    Number<StackProfile>{"expert_progress", &StackProfile::expert_progress, 0, 2},
    Number<StackProfile>{"partial_graph_domain", &StackProfile::partial_graph_domain, 0, 1e6},
    Number<StackProfile>{"partial_graph_host", &StackProfile::partial_graph_host, 0, 1},
    Number<StackProfile>{"mla_host_factor", &StackProfile::mla_host_factor, 0.5, 5},
    Number<StackProfile>{"full_graph_domain", &StackProfile::full_graph_domain, 0, 1e6},
    Number<StackProfile>{"fused_expert_traffic", &StackProfile::fused_expert_traffic, 0, 1},
    Number<StackProfile>{"context_exposed", &StackProfile::context_exposed, 0, 1},
    Number<StackProfile>{"selective_linear_share", &StackProfile::selective_linear_share, 0, 1},
    Number<StackProfile>{"host_pipeline_tensor_s", &StackProfile::host_pipeline_tensor_s, 0, 0.1},
    Number<StackProfile>{"tensor_network_s", &StackProfile::tensor_network_s, 0, 0.1},
    Number<StackProfile>{"pipeline_sync_s", &StackProfile::pipeline_sync_s, 0, 0.1},
    Number<StackProfile>{"gather_view_s", &StackProfile::gather_view_s, 0, 0.01},
    Number<StackProfile>{"reduce_bucket_s", &StackProfile::reduce_bucket_s, 0, 0.1},
    Number<StackProfile>{"reduce_bucket_parameters", &StackProfile::reduce_bucket_parameters, 0, 1e12},
    Number<StackProfile>{"broadcast_s_per_rank", &StackProfile::broadcast_s_per_rank, 0, 1},
    Number<StackProfile>{"cpu_optimizer_parameters_per_s", &StackProfile::cpu_optimizer_parameters_per_s, 1e6,
                         1e12},
    Number<StackProfile>{"nvme_bytes_per_s", &StackProfile::nvme_bytes_per_s, 1e6, 1e12},
    Number<StackProfile>{"host_smoothness", &StackProfile::host_smoothness, 1, 100},
    Number<StackProfile>{"sharded_slowdown", &StackProfile::sharded_slowdown, 0, 1},
    Number<StackProfile>{"hiding_stretch", &StackProfile::hiding_stretch, 0, 5},
    Number<StackProfile>{"hiding_room", &StackProfile::hiding_room, 0, 2},
    Number<StackProfile>{"hiding_room_pipeline", &StackProfile::hiding_room_pipeline, 0, 2},
    Number<StackProfile>{"context_hiding", &StackProfile::context_hiding, 0, 2},
    Number<StackProfile>{"asked_tensor_exposed", &StackProfile::asked_tensor_exposed, 0, 1},
    Number<StackProfile>{"asked_pipeline_exposed", &StackProfile::asked_pipeline_exposed, 0, 1},
    Number<StackProfile>{"asked_data_exposed", &StackProfile::asked_data_exposed, 0, 1},
    Number<StackProfile>{"attention_square", &StackProfile::attention_square, 1, 2},
    Number<StackProfile>{"parameter_bytes", &StackProfile::parameter_bytes, 1, 8},
    Number<StackProfile>{"gradient_extra_bytes", &StackProfile::gradient_extra_bytes, 0, 8},
    Number<StackProfile>{"sharded_gradient_copy_bytes", &StackProfile::sharded_gradient_copy_bytes, 0, 8},
    Number<StackProfile>{"logits_bytes_per_value", &StackProfile::logits_bytes_per_value, 0, 40},
    Number<StackProfile>{"parallel_logits_bytes_per_value", &StackProfile::parallel_logits_bytes_per_value, 0,
                         40},
    Number<StackProfile>{"fragmentation_factor", &StackProfile::fragmentation_factor, 0, 1},
    Number<StackProfile>{"base_bytes", &StackProfile::base_bytes, 0, 32 * kGibi},
    Number<StackProfile>{"context_bytes", &StackProfile::context_bytes, 0, 32 * kGibi},
    Number<StackProfile>{"communicator_bytes", &StackProfile::communicator_bytes, 0, 32 * kGibi},
    Number<StackProfile>{"runtime_bytes", &StackProfile::runtime_bytes, 0, 32 * kGibi},
    Number<StackProfile>{"bucket_elements", &StackProfile::bucket_elements, 0, 1e12},
    Number<StackProfile>{"live_gather_elements", &StackProfile::live_gather_elements, 0, 1e12},
    Number<StackProfile>{"step_copy_bytes", &StackProfile::step_copy_bytes, 0, 16},
    Number<StackProfile>{"step_gather_bytes", &StackProfile::step_gather_bytes, 0, 16},
    Number<StackProfile>{"working_set_factor", &StackProfile::working_set_factor, 0, 20},
    Number<StackProfile>{"shared_gather_buffers", &StackProfile::shared_gather_buffers, 0, 16},
    Number<StackProfile>{"standard_attention_copies", &StackProfile::standard_attention_copies, 0, 20},
    Number<StackProfile>{"checkpoint_factor", &StackProfile::checkpoint_factor, 0.1, 10},
    Number<StackProfile>{"growth_tensor_bytes", &StackProfile::growth_tensor_bytes, 0, 100},
    Number<StackProfile>{"run_ahead_layers", &StackProfile::run_ahead_layers, 0, 1e9},
    Number<StackProfile>{"lost_pipeline", &StackProfile::lost_pipeline, 0, 1},
    Number<StackProfile>{"growth_pipeline", &StackProfile::growth_pipeline, 0, 2},
    Number<StackProfile>{"growth_parameters", &StackProfile::growth_parameters, 0, 16},
};

constexpr std::array kStackSwitches = {
    Switch<StackProfile>{"early_stop_recompute", &StackProfile::early_stop_recompute},
    Switch<StackProfile>{"reduces_every_pass", &StackProfile::reduces_every_pass},
    Switch<StackProfile>{"shard_by_all_reduce", &StackProfile::shard_by_all_reduce},
    Switch<StackProfile>{"older_attention_kernel", &StackProfile::older_attention_kernel},
    Switch<StackProfile>{"partial_graph_alone", &StackProfile::partial_graph_alone},
    Switch<StackProfile>{"expert_deduplication", &StackProfile::expert_deduplication},
    Switch<StackProfile>{"context_unbalanced", &StackProfile::context_unbalanced},
    Switch<StackProfile>{"overlap_tensor", &StackProfile::overlap_tensor},
    Switch<StackProfile>{"overlap_grad_reduce", &StackProfile::overlap_grad_reduce},
    Switch<StackProfile>{"overlap_param_gather", &StackProfile::overlap_param_gather},
    Switch<StackProfile>{"overlap_pipeline", &StackProfile::overlap_pipeline},
    Switch<StackProfile>{"overlap_expert", &StackProfile::overlap_expert},
    Switch<StackProfile>{"master_weights", &StackProfile::master_weights},
    Switch<StackProfile>{"all_fp32_states", &StackProfile::all_fp32_states},
    Switch<StackProfile>{"compiled", &StackProfile::compiled},
    Switch<StackProfile>{"dummy_weight_gradients", &StackProfile::dummy_weight_gradients},
    Switch<StackProfile>{"keeps_quantised_inputs", &StackProfile::keeps_quantised_inputs},
    Switch<StackProfile>{"saves_gathered_inputs", &StackProfile::saves_gathered_inputs},
    Switch<StackProfile>{"ends_count_as_layers", &StackProfile::ends_count_as_layers},
    Switch<StackProfile>{"splits_by_cost", &StackProfile::splits_by_cost},
};

constexpr std::array kArchitectureNumbers = {
    Number<Architecture>{"gemm_peak_fraction", &Architecture::gemm_peak_fraction, 0.01, 1},
    Number<Architecture>{"gemm_k_half", &Architecture::gemm_k_half, 0, 10000},
    Number<Architecture>{"gemm_half_flops", &Architecture::gemm_half_flops, 0, 1e13},
    Number<Architecture>{"gemm_wave_softness", &Architecture::gemm_wave_softness, 0, 1},
    Number<Architecture>{"gemm_launch_s", &Architecture::gemm_launch_s, 0, 0.01},
    Number<Architecture>{"gemm_backward_factor", &Architecture::gemm_backward_factor, 0.1, 10},
    Number<Architecture>{"grouped_gemm_factor", &Architecture::grouped_gemm_factor, 0.05, 2},
    Number<Architecture>{"attention_peak_fraction", &Architecture::attention_peak_fraction, 0.01, 1},
    Number<Architecture>{"attention_backward_factor", &Architecture::attention_backward_factor, 0.05, 2},
    Number<Architecture>{"attention_length_half", &Architecture::attention_length_half, 0, 1e5},
    Number<Architecture>{"attention_head64_factor", &Architecture::attention_head64_factor, 0.05, 1},
    Number<Architecture>{"older_attention_factor", &Architecture::older_attention_factor, 0.05, 1},
    Number<Architecture>{"misaligned_gemm_factor", &Architecture::misaligned_gemm_factor, 1, 100},
    Number<Architecture>{"memory_efficiency", &Architecture::memory_efficiency, 0.05, 1},
    Number<Architecture>{"scale_up_efficiency", &Architecture::scale_up_efficiency, 0.05, 1.1},
    Number<Architecture>{"fp8_gain", &Architecture::fp8_gain, 1, 4},
    Number<Architecture>{"mxfp8_gain", &Architecture::mxfp8_gain, 1, 4},
    Number<Architecture>{"nvfp4_gain", &Architecture::nvfp4_gain, 1, 8},
    Number<Architecture>{"fp8_attention_gain", &Architecture::fp8_attention_gain, 0.5, 4},
    Number<Architecture>{"expert_gain_share", &Architecture::expert_gain_share, 0, 1},
    Number<Architecture>{"cast_bytes_per_element", &Architecture::cast_bytes_per_element, 0, 100},
    Number<Architecture>{"all_to_all_scale_up_efficiency", &Architecture::all_to_all_scale_up_efficiency,
                         0.05, 1.1},
    Number<Architecture>{"all_to_all_network_efficiency", &Architecture::all_to_all_network_efficiency, 0.05,
                         1.1},
    Number<Architecture>{"collective_sqrt_s", &Architecture::collective_sqrt_s, 0, 1e-3},
    Number<Architecture>{"efa_stall_s", &Architecture::efa_stall_s, 0, 1},
    Number<Architecture>{"attention_head96_factor", &Architecture::attention_head96_factor, 0.05, 1},
    Number<Architecture>{"attention_large_head_factor", &Architecture::attention_large_head_factor, 0.05, 1},
    Number<Architecture>{"attention_odd_head_factor", &Architecture::attention_odd_head_factor, 0.05, 1},
    Number<Architecture>{"attention_launch_s", &Architecture::attention_launch_s, 0, 0.01},
    Number<Architecture>{"attention_occupancy_floor", &Architecture::attention_occupancy_floor, 0, 1},
    Number<Architecture>{"score_forward_bytes", &Architecture::score_forward_bytes, 0, 100},
    Number<Architecture>{"score_backward_bytes", &Architecture::score_backward_bytes, 0, 100},
    Number<Architecture>{"in_switch_gain", &Architecture::in_switch_gain, 1, 2},
    Number<Architecture>{"tree_share", &Architecture::tree_share, 0.05, 1},
    Number<Architecture>{"in_switch_least_ranks", &Architecture::in_switch_least_ranks, 2, 1024},
    Number<Architecture>{"scale_up_latency_s", &Architecture::scale_up_latency_s, 0, 0.001},
    Number<Architecture>{"network_latency_s", &Architecture::network_latency_s, 0, 0.001},
    Number<Architecture>{"rank_latency_s", &Architecture::rank_latency_s, 0, 0.001},
    Number<Architecture>{"collective_ramp_bytes", &Architecture::collective_ramp_bytes, 0, 1000000000000.0},
    Number<Architecture>{"stream_share", &Architecture::stream_share, 0.05, 1},
    Number<Architecture>{"message_network_s", &Architecture::message_network_s, 0, 0.01},
    Number<Architecture>{"message_inside_s", &Architecture::message_inside_s, 0, 0.01},
    Number<Architecture>{"message_gather_s", &Architecture::message_gather_s, 0, 0.01},
    Number<Architecture>{"power_exponent", &Architecture::power_exponent, 0, 1},
};
constexpr std::array<Switch<Architecture>, 0> kArchitectureSwitches{};

constexpr std::array kAccuracyNumbers = {
    Number<Accuracy>{"step_median", &Accuracy::step_median, 0, 100},
    Number<Accuracy>{"step_p90", &Accuracy::step_p90, 0, 100},
    Number<Accuracy>{"memory_median", &Accuracy::memory_median, 0, 100},
    Number<Accuracy>{"memory_p90", &Accuracy::memory_p90, 0, 100},
};

/// A key whose value is one of a few words.
template <class E, std::size_t n>
Error read_word(const Json& value, const std::string& where,
                const std::array<std::pair<const char*, E>, n>& words, E& out) {
    if (value.is_string())
        for (const auto& [word, meaning] : words)
            if (value.get_ref<const std::string&>() == word) {
                out = meaning;
                return {};
            }
    std::string known;
    for (const auto& [word, meaning] : words) known += (known.empty() ? "" : ", ") + std::string(word);
    return {where, "must be one of " + known};
}

constexpr std::array kDtypes = {std::pair{"fp32", Dtype::fp32}, std::pair{"bf16", Dtype::bf16},
                                std::pair{"fp16", Dtype::fp16}};
constexpr std::array kSavedStyles = {
    std::pair{"megatron", SavedStyle::megatron}, std::pair{"megatron_2023", SavedStyle::megatron_2023},
    std::pair{"nanotron", SavedStyle::nanotron}, std::pair{"torchtitan", SavedStyle::torchtitan},
    std::pair{"huggingface", SavedStyle::huggingface}};
constexpr std::array kContextKinds = {std::pair{"ring", ContextKind::ring},
                                      std::pair{"ulysses", ContextKind::ulysses},
                                      std::pair{"allgather", ContextKind::allgather}};
constexpr std::array kModules = {std::pair{"core_attention", kRecomputeCoreAttention},
                                 std::pair{"layernorm", kRecomputeLayernorm},
                                 std::pair{"mlp", kRecomputeMlp},
                                 std::pair{"mlp_act", kRecomputeMlpAct},
                                 std::pair{"moe", kRecomputeMoe},
                                 std::pair{"moe_act", kRecomputeMoeAct},
                                 std::pair{"mla_up_proj", kRecomputeMlaUpProj},
                                 std::pair{"shared_experts", kRecomputeSharedExperts}};

Error read_modules(const Json& value, const std::string& where, std::uint32_t& out) {
    if (!value.is_array()) return {where, "must be a list of module names"};
    out = 0;
    for (const Json& item : value) {
        RecomputeModule module{};
        if (Error error = read_word(item, where, kModules, module); !error.what.empty()) return error;
        out |= module;
    }
    return {};
}

template <class T>
Error read_number(const Json& value, const std::string& where, const Number<T>& row, T& out) {
    if (!value.is_number()) return {where, "must be a number"};
    const double number = value.get<double>();
    if (!(number >= row.low && number <= row.high))
        return {where, "must lie between " + Json(row.low).dump() + " and " + Json(row.high).dump()};
    out.*row.member = number;
    return {};
}

/// Keys of a stack profile that are neither numbers nor switches; `known` says whether this was one.
Error read_stack_word(const std::string& key, const Json& value, const std::string& where, StackProfile& out,
                      bool& known) {
    known = true;
    if (key == "gradient_dtype") return read_word(value, where, kDtypes, out.gradient_dtype);
    if (key == "optimizer_dtype") return read_word(value, where, kDtypes, out.optimizer_dtype);
    if (key == "saved") return read_word(value, where, kSavedStyles, out.saved);
    if (key == "context_kind") return read_word(value, where, kContextKinds, out.context_kind);
    if (key == "usual_recompute_modules") return read_modules(value, where, out.usual_recompute_modules);
    if (key == "vocabulary_multiple") {
        if (!value.is_number_integer() || value.get<std::int64_t>() < 1 || value.get<std::int64_t>() > 65536)
            return {where, "must be a whole number between 1 and 65536"};
        out.vocabulary_multiple = value.get<std::int64_t>();
        return {};
    }
    known = false;
    return {};
}
Error read_stack_word(const std::string&, const Json&, const std::string&, Architecture&, bool& known) {
    known = false;
    return {};
}

template <class T, class Numbers, class Switches>
Error read_values(const Json& values, const std::string& origin, const std::string& at,
                  const Numbers& numbers, const Switches& switches, T& out) {
    if (!values.is_object()) return {origin, at + " must be an object"};
    for (const auto& [key, value] : values.items()) {
        const std::string where = origin + ": " + at + "." + key;
        bool known = false;
        if (Error error = read_stack_word(key, value, where, out, known); !error.what.empty()) return error;
        if (known) continue;
        for (const auto& row : numbers)
            if (key == row.key) {
                known = true;
                if (Error error = read_number(value, where, row, out); !error.what.empty()) return error;
            }
        for (const auto& row : switches)
            if (key == row.key) {
                known = true;
                if (!value.is_boolean()) return {where, "must be true or false"};
                out.*row.member = value == true;
            }
        if (known) continue;
        std::vector<std::string_view> candidates;
        for (const auto& row : numbers) candidates.emplace_back(row.key);
        for (const auto& row : switches) candidates.emplace_back(row.key);
        const std::string near = nearest(key, candidates);
        return {where, near.empty() ? "unknown key" : "unknown key; did you mean \"" + near + "\"?"};
    }
    return {};
}

/// "constants": a list of {"source", "values"}: every group of numbers says where it comes from.
template <class T, class Numbers, class Switches>
Error read_groups(const Json& groups, const std::string& origin, const Numbers& numbers,
                  const Switches& switches, T& out) {
    if (!groups.is_array())
        return {origin, "constants must be a list of groups, each with source and values"};
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const Json& group = groups[i];
        const std::string at = "constants." + std::to_string(i);
        if (!group.is_object() || !group.contains("source") || !group["source"].is_string() ||
            !group.contains("values"))
            return {origin, at + " must have source (text) and values"};
        for (const auto& [key, value] : group.items())
            if (key != "source" && key != "values") return {origin + ": " + at + "." + key, "unknown key"};
        if (Error error = read_values(group["values"], origin, at + ".values", numbers, switches, out);
            !error.what.empty())
            return error;
    }
    return {};
}

Error read_text_key(const Json& value, const std::string& where, std::string& out) {
    if (!value.is_string()) return {where, "must be text"};
    out = value.get<std::string>();
    return {};
}

Error read_accuracy(const Json& value, const std::string& where, Accuracy& out) {
    for (const auto& [key, entry] : value.items()) {
        const std::string at = where + "." + key;
        if (key == "runs") {
            if (!entry.is_number_integer() || entry.get<std::int64_t>() < 0)
                return {at, "must be a whole number"};
            out.runs = entry.get<std::int64_t>();
        }
        for (const auto& row : kAccuracyNumbers)
            if (key == row.key)
                if (Error error = read_number(entry, at, row, out); !error.what.empty()) return error;
    }
    return {};
}

Error read_accuracy_class(const Json& value, const std::string& where, AccuracyClass& out) {
    if (!value.is_object() || !value.contains("architecture") || !value["architecture"].is_string())
        return {where, "must be an object with architecture (text)"};
    out.architecture = value["architecture"].get<std::string>();
    if (value.contains("experts")) {
        if (!value["experts"].is_boolean()) return {where + ".experts", "must be true or false"};
        out.experts = value["experts"].get<bool>();
    }
    return read_accuracy(value, where, out.accuracy);
}

Error read_accuracies(const Json& value, const std::string& origin, StackProfile& out) {
    const std::string where = origin + ": accuracy";
    if (!value.is_object()) return {where, "must be an object"};
    for (const auto& [key, entry] : value.items()) {
        const bool number = key == "runs" || std::any_of(kAccuracyNumbers.begin(), kAccuracyNumbers.end(),
                                                         [&](const auto& row) { return key == row.key; });
        if (key == "source") {
            if (Error error = read_text_key(entry, where + ".source", out.accuracy_source);
                !error.what.empty())
                return error;
        } else if (key == "calibrated") {
            if (!entry.is_boolean()) return {where + ".calibrated", "must be true or false"};
            out.calibrated = entry.get<bool>();
        } else if (key == "classes") {
            if (!entry.is_array()) return {where + ".classes", "must be a list"};
            for (std::size_t i = 0; i < entry.size(); ++i) {
                AccuracyClass one;
                if (Error error = read_accuracy_class(entry[i], where + ".classes." + std::to_string(i), one);
                    !error.what.empty())
                    return error;
                out.accuracy_classes.push_back(std::move(one));
            }
        } else if (!number) {
            return {where + "." + key, "unknown key"};
        }
    }
    return read_accuracy(value, where, out.accuracy);
}

/// "releases": oldest first, each with the values that were different then. The newest = the profile itself.
Error apply_release(const Json& releases, const std::string& origin, const std::string& version,
                    StackProfile& out) {
    if (!releases.is_array()) return {origin, "releases must be a list"};
    for (std::size_t i = 0; i < releases.size(); ++i) {
        const Json& release = releases[i];
        const std::string at = "releases." + std::to_string(i);
        if (!release.is_object() || !release.contains("version") || !release["version"].is_string() ||
            !release.contains("source") || !release.contains("values"))
            return {origin, at + " must have version, source and values"};
        StackProfile old = out;
        if (Error error =
                read_values(release["values"], origin, at + ".values", kStackNumbers, kStackSwitches, old);
            !error.what.empty())
            return error;
        const std::string name = release["version"].get<std::string>();
        if (name == version) {
            out = std::move(old);
            out.version = name;
            return {};
        }
    }
    return {}; // A release the profile does not hold is no error: the newest is taken, `version` says so.
}

/// The base's constants under another name.
StackProfile own_of(const StackProfile* base) {
    if (!base) return {};
    StackProfile out = *base;
    out.id.clear();
    out.name.clear();
    out.version.clear();
    out.source.clear();
    out.fitted = false;
    out.accuracy = {};
    out.accuracy_classes.clear();
    out.accuracy_source.clear();
    out.calibrated = false;
    out.relative.clear();
    return out;
}

/// The base names every constant: a forgotten one would silently be zero.
template <class Numbers>
Error names_all(const Json& object, const std::string& origin, const Numbers& numbers) {
    for (const auto& row : numbers) {
        bool named = false;
        for (const auto& group : object["constants"]) named = named || group["values"].contains(row.key);
        if (!named)
            return {origin, std::string("constants must name \"") + row.key + "\": other files rely on it"};
    }
    return {};
}

template <class T, class Numbers>
NumberField find_number(T& of, std::string_view key, const Numbers& numbers) {
    for (const auto& row : numbers)
        if (key == row.key) return {&(of.*row.member), row.low, row.high};
    return {};
}

} // namespace

NumberField number_field(StackProfile& stack, std::string_view key) {
    return find_number(stack, key, kStackNumbers);
}
NumberField number_field(Architecture& architecture, std::string_view key) {
    return find_number(architecture, key, kArchitectureNumbers);
}

Result<StackProfile> stack_from_json(const nlohmann::ordered_json& object, const std::string& origin,
                                     const std::string& version, const StackProfile* base) {
    if (!object.is_object()) return Error{origin, "a stack profile is a JSON object"};
    StackProfile out = own_of(base);
    Error error;
    const Json* releases = nullptr;
    for (const auto& [key, value] : object.items()) {
        const std::string where = origin + ": " + key;
        if (key == "id")
            error = read_text_key(value, where, out.id);
        else if (key == "name")
            error = read_text_key(value, where, out.name);
        else if (key == "version")
            error = read_text_key(value, where, out.version);
        else if (key == "source")
            error = read_text_key(value, where, out.source);
        else if (key == "fitted") {
            if (!value.is_boolean())
                error = {where, "must be true or false"};
            else
                out.fitted = value.get<bool>();
        } else if (key == "constants")
            error = read_groups(value, origin, kStackNumbers, kStackSwitches, out);
        else if (key == "accuracy")
            error = read_accuracies(value, origin, out);
        else if (key == "releases")
            releases = &value;
        else if (key == "base" || key == "base_version")
            continue; // the catalogue reads them and hands the profile in
        else
            error = {where, "unknown key"};
        if (!error.what.empty()) return error;
    }
    if (releases)
        if (error = apply_release(*releases, origin, version, out); !error.what.empty()) return error;
    if (out.id.empty()) return Error{origin, "id is missing"};
    if (out.source.empty()) return Error{origin, "source is missing"};
    if (base && object.contains("base")) out.relative = base->id;
    if (!base) {
        if (!object.contains("constants")) return Error{origin, "constants is missing"};
        if (error = names_all(object, origin, kStackNumbers); !error.what.empty()) return error;
    }
    return out;
}

Result<Architecture> architecture_from_json(const nlohmann::ordered_json& object, const std::string& origin,
                                            const Architecture* base) {
    if (!object.is_object()) return Error{origin, "an architecture is a JSON object"};
    Architecture out = base ? *base : Architecture{};
    out.id.clear();
    out.source.clear();
    Error error;
    std::string name;
    for (const auto& [key, value] : object.items()) {
        const std::string where = origin + ": " + key;
        if (key == "id")
            error = read_text_key(value, where, out.id);
        else if (key == "name")
            error = read_text_key(value, where, name);
        else if (key == "source")
            error = read_text_key(value, where, out.source);
        else if (key == "constants")
            error = read_groups(value, origin, kArchitectureNumbers, kArchitectureSwitches, out);
        else
            error = {where, "unknown key"};
        if (!error.what.empty()) return error;
    }
    if (out.id.empty()) return Error{origin, "id is missing"};
    if (out.source.empty()) return Error{origin, "source is missing"};
    if (!base) {
        if (!object.contains("constants")) return Error{origin, "constants is missing"};
        if (error = names_all(object, origin, kArchitectureNumbers); !error.what.empty()) return error;
    }
    return out;
}

} // namespace shardlens
