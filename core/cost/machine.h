// SPDX-License-Identifier: GPL-3.0-or-later
// Rates of one GPU and its links as the formulas of this room read them, each named with its source.
#pragma once

#include <algorithm>
#include <cmath>

#include "catalog/setup.h"
#include "formula/traced.h"

namespace shardlens::cost {

/// A constant of the stack profile; measured when the profile was fitted on published runs.
template <class N>
[[nodiscard]] N stack_constant(const Setup& setup, double value, const char* name, const char* unit) {
    if (setup.stack.fitted)
        return input<N>(value, {name, unit, "stack profile, fitted on published runs", Tag::measured});
    return input<N>(value, {name, unit, "stack profile, taken from a related stack", Tag::assumed});
}
/// A constant of the GPU generation (presets/architectures).
template <class N> [[nodiscard]] N architecture_constant(double value, const char* name, const char* unit) {
    return input<N>(value, {name, unit, "architecture, kernel timings and published runs", Tag::measured});
}

/// The whole step of an expert model is one CUDA graph: nothing waits for the host, experts run as one fused
/// kernel per direction, attention in 8 bits, and exchanges overlap with another micro-batch
/// (Megatron-Bridge's "full_iteration" recipes, perf_recipes/qwen/common.py).
[[nodiscard]] inline bool full_graph(const Setup& setup) {
    const double above = setup.stack.full_graph_domain;
    return above > 0 && setup.moe() && setup.plan.training.precision == Precision::mxfp8 &&
           static_cast<double>(setup.cluster.node.scale_up_domain) > above;
}
/// Attention, router and preprocessing of an expert model are CUDA graphs (cuda_graph_scope of the same
/// recipes): on large NVLink domains, and where a plan is so simple that graphs find room and nothing is
/// recomputed.
[[nodiscard]] inline bool partial_graph(const Setup& setup) {
    if (!setup.moe()) return false;
    const double above = setup.stack.partial_graph_domain;
    const bool large = above > 0 && static_cast<double>(setup.cluster.node.scale_up_domain) > above;
    const bool alone = setup.stack.partial_graph_alone && setup.tensor == 1 && setup.pipeline == 1 &&
                       setup.plan.memory.recompute == Recompute::none;
    return large || alone;
}
/// Kernels of this release against the newest: of experts with their exchanges, or all others.
template <class N> [[nodiscard]] N age_factor(const Setup& setup, bool expert) {
    const StackProfile& stack = setup.stack;
    const double progress = expert ? stack.expert_progress : stack.kernel_progress;
    if (!(stack.release_age_years > 0 && progress > 0)) return N(1.0);
    return stack_constant<N>(setup, std::pow(1 + progress, stack.release_age_years),
                             expert ? "expert_release_factor" : "release_factor", "1");
}

/// Dense 16-bit (fp32: tf32 or fp32) matrix rate at the sustained clock, FLOP/s. `draws_full_power`: the
/// kernel keeps the matrix units busy enough to meet a cap on power.
template <class N> [[nodiscard]] N matrix_rate(const Setup& setup, bool draws_full_power = true) {
    const Accelerator& gpu = setup.cluster.accelerator;
    const Precision precision = setup.plan.training.precision;
    const Precision base =
        precision == Precision::fp32 || precision == Precision::fp16 ? precision : Precision::bf16;
    double clock = gpu.clock_factor;
    // A cap below the rated power costs clock.
    const double cap = setup.plan.cluster.power_w.value_or(0);
    if (draws_full_power && cap > 0 && gpu.tdp_w > cap)
        clock *= std::pow(cap / gpu.tdp_w, setup.architecture.power_exponent);
    return input<N>(gpu.peak_flops(base), {"peak_flops", "FLOP/s", "accelerator, dense peak", Tag::exact}) *
           input<N>(clock, {"clock_factor", "1", "sustained over rated clock", Tag::measured});
}

/// Gain of low-precision linears over 16-bit ones before casts; never above the ratio of the peaks (Gaudi 3
/// and the first Trainium compute fp8 at their 16-bit rate).
[[nodiscard]] inline double precision_gain(const Setup& setup) {
    const Accelerator& gpu = setup.cluster.accelerator;
    const Architecture& arch = setup.architecture;
    const double wide = gpu.peak_flops(Precision::bf16);
    const auto gain = [wide](double peak, double measured) {
        return peak > 0 ? std::max(1.0, std::min(measured, peak / wide)) : 1;
    };
    switch (setup.plan.training.precision) {
    case Precision::fp8: return gain(gpu.fp8_flops, arch.fp8_gain);
    case Precision::mxfp8: return gain(gpu.fp8_flops, arch.mxfp8_gain);
    case Precision::nvfp4:
        return gpu.fp4_flops > 0 ? gain(gpu.fp4_flops, arch.nvfp4_gain) : gain(gpu.fp8_flops, arch.fp8_gain);
    default: return 1;
    }
}

/// Usable memory bandwidth, bytes/s.
template <class N> [[nodiscard]] N memory_rate(const Setup& setup) {
    return named(input<N>(setup.cluster.accelerator.memory_bandwidth_bytes_per_s,
                          {"memory_bandwidth", "B/s", "accelerator", Tag::exact}) *
                     architecture_constant<N>(setup.architecture.memory_efficiency, "memory_efficiency", "1"),
                 {"usable_memory_bandwidth", "B/s", "bandwidth of streaming kernels", Tag::measured});
}

/// Seconds to move `bytes` by unfused elementwise kernels of this stack.
template <class N> [[nodiscard]] N elementwise_time(const Setup& setup, const N& bytes) {
    return bytes * stack_constant<N>(setup, setup.stack.elementwise_factor, "elementwise_factor", "1") /
           memory_rate<N>(setup);
}

} // namespace shardlens::cost
