// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/roofline.h"

#include <algorithm>

#include "cost/machine.h"

namespace shardlens::cost {
namespace {

constexpr double kTileRows = 128, kTileColumns = 256; ///< the usual output tile of library GEMMs
constexpr double kAttentionTile = 128;                ///< query rows of a flash-attention block

double units(const Setup& setup) {
    const std::int64_t count = setup.cluster.accelerator.compute_units;
    return static_cast<double>(count > 0 ? count : 108);
}

bool low_precision(const Setup& setup, bool of_operator) {
    const Precision precision = setup.plan.training.precision;
    return of_operator &&
           (precision == Precision::fp8 || precision == Precision::mxfp8 || precision == Precision::nvfp4);
}

/// Speed of a head size against 128.
double head_size_factor(const Architecture& arch, double size) {
    double factor = 1;
    if (size <= 64)
        factor = arch.attention_head64_factor;
    else if (size <= 96)
        factor = arch.attention_head96_factor;
    else if (size > 160)
        factor = arch.attention_large_head_factor;
    if (std::fmod(size, 32) != 0) factor *= arch.attention_odd_head_factor;
    return factor;
}

template <class N> KernelTime<N> flash_attention(const Setup& setup, const model::Operator<N>& op) {
    const Architecture& arch = setup.architecture;
    const double generation = setup.stack.older_attention_kernel ? arch.older_attention_factor : 1;
    const double tiles = value_of(op.groups) * std::ceil(value_of(op.m) / kAttentionTile);
    const double floor = arch.attention_occupancy_floor;
    const double occupancy = floor + (1 - floor) * std::min(1.0, tiles / units(setup));
    const double square = setup.shape.attention_window > 0 ? 1 : setup.stack.attention_square;
    const double narrow = full_graph(setup) ? arch.fp8_attention_gain : 1;
    // Without load balance the last context rank computes the longest rows of the causal triangle.
    const double balance =
        setup.context > 1 && setup.stack.context_unbalanced ? 2 - 1 / static_cast<double>(setup.context) : 1;
    const N efficiency =
        named(architecture_constant<N>(arch.attention_peak_fraction, "attention_peak_fraction", "1") *
                  stack_constant<N>(setup, setup.stack.attention_efficiency * generation,
                                    "attention_efficiency", "1") *
                  input<N>(head_size_factor(arch, value_of(op.k)) * occupancy,
                           {"shape_factor", "1", "head size and occupancy, kernel timings", Tag::measured}) *
                  op.n / (op.n + architecture_constant<N>(arch.attention_length_half, "length_half", "1")),
              {"attention_share_of_peak", "1", "efficiency of the fused attention kernel", Tag::modelled});
    // An older kernel leaves the matrix units idle so often that a power cap does not slow it.
    const N rate = matrix_rate<N>(setup, generation >= 1);
    const N device = op.attention_flops * (square * balance) / (rate * efficiency * narrow);
    KernelTime<N> time;
    time.forward = device + N(arch.attention_launch_s);
    // Backward recomputes the scores: five GEMMs for two.
    time.input_gradient =
        2.5 * device / architecture_constant<N>(arch.attention_backward_factor, "backward_efficiency", "1") +
        N(arch.attention_launch_s);
    return time;
}

template <class N> KernelTime<N> standard_attention(const Setup& setup, const model::Operator<N>& op) {
    const bool misaligned = std::fmod(value_of(op.k), 8) != 0;
    const double slow = misaligned ? setup.architecture.misaligned_gemm_factor : 1;
    const N scores = gemm_time<N>(setup, op.m, op.n, op.k, op.groups, false, false) * slow;
    const N values = gemm_time<N>(setup, op.m, op.k, op.n, op.groups, false, false) * slow;
    const N elements = op.m * op.n * op.groups;
    KernelTime<N> time;
    time.forward =
        scores + values + setup.architecture.score_forward_bytes * elements / memory_rate<N>(setup);
    time.input_gradient = 2.0 * (scores + values) * setup.architecture.gemm_backward_factor +
                          setup.architecture.score_backward_bytes * elements / memory_rate<N>(setup);
    return time;
}

} // namespace

template <class N>
N gemm_time(const Setup& setup, const N& m, const N& n, const N& k, const N& groups, bool low, bool expert) {
    if (!(value_of(m) > 0 && value_of(n) > 0 && value_of(k) > 0 && value_of(groups) > 0)) return 0.0;
    const Architecture& arch = setup.architecture;
    const bool small_format = low_precision(setup, low);
    double gain = small_format ? precision_gain(setup) : 1;
    if (expert) gain = 1 + arch.expert_gain_share * (gain - 1);
    const double width = setup.plan.training.precision == Precision::fp32 ? 4 : small_format ? 1 : 2;

    const N flops = 2.0 * m * n * k * groups;
    const N row_tiles = ceil_of(m / kTileRows);
    const N waves = groups * row_tiles * ceil_of(n / kTileColumns) / units(setup);
    // Partial last wave, softened because tiles of neighbouring kernels overlap.
    const double softness = arch.gemm_wave_softness;
    const N wave_fill = 1.0 / ((1.0 - softness) + softness * ceil_of(waves) / waves);
    const N tile_fill = 0.5 + 0.5 * m / (kTileRows * row_tiles);
    N efficiency = architecture_constant<N>(arch.gemm_peak_fraction, "gemm_peak_fraction", "1") *
                   stack_constant<N>(setup, setup.stack.gemm_efficiency, "gemm_efficiency", "1") * wave_fill *
                   tile_fill * (k / (k + arch.gemm_k_half * gain)) * (flops / (flops + arch.gemm_half_flops));
    if (expert) {
        // One fused kernel for all experts has no part in what a framework's loop over experts loses.
        const double loop = full_graph(setup) ? 1 : setup.stack.grouped_gemm_efficiency;
        efficiency *= stack_constant<N>(setup, arch.grouped_gemm_factor * loop, "grouped_gemm", "1");
    }
    efficiency = named(efficiency, {"gemm_share_of_peak", "1",
                                    "wave and tile fill, depth and size saturation", Tag::modelled});
    const N compute = flops / (matrix_rate<N>(setup) * gain * efficiency);
    const N memory = groups * (2.0 * m * n + width * (n * k + m * k)) / memory_rate<N>(setup);
    return max_of(compute, memory) + architecture_constant<N>(arch.gemm_launch_s, "kernel_launch", "s");
}

template <class N> KernelTime<N> kernel_time(const Setup& setup, const model::Operator<N>& op) {
    KernelTime<N> time;
    switch (op.kind) {
    case model::OperatorKind::gemm: {
        const double backward = setup.architecture.gemm_backward_factor;
        time.forward = gemm_time<N>(setup, op.m, op.n, op.k, op.groups, op.low_precision, op.expert);
        time.input_gradient =
            gemm_time<N>(setup, op.m, op.k, op.n, op.groups, op.low_precision, op.expert) * backward;
        time.weight_gradient =
            gemm_time<N>(setup, op.n, op.k, op.m, op.groups, op.low_precision, op.expert) * backward;
        if (low_precision(setup, op.low_precision)) {
            // Casts read and write every input and output value; twice that in backward (row- and column-wise
            // copies).
            const double unfused = op.expert && full_graph(setup) ? setup.stack.fused_expert_traffic : 1;
            const N cast = elementwise_time<N>(setup, unfused * setup.architecture.cast_bytes_per_element *
                                                          op.groups * (op.m * op.k + op.m * op.n));
            time.forward += cast;
            time.input_gradient += 2.0 * cast;
        }
        break;
    }
    case model::OperatorKind::attention:
        return setup.plan.training.attention == Attention::flash ? flash_attention<N>(setup, op)
                                                                 : standard_attention<N>(setup, op);
    case model::OperatorKind::elementwise:
        time.forward = elementwise_time<N>(setup, op.forward_bytes);
        time.input_gradient = elementwise_time<N>(setup, op.backward_bytes);
        if (op.expert) {
            const N factor = stack_constant<N>(setup,
                                               setup.stack.expert_traffic_factor *
                                                   (full_graph(setup) ? setup.stack.fused_expert_traffic : 1),
                                               "expert_traffic_factor", "1");
            time.forward *= factor;
            time.input_gradient *= factor;
        }
        break;
    case model::OperatorKind::loss: {
        const N bytes = op.forward_bytes * stack_constant<N>(setup, setup.stack.loss_bytes_per_logit,
                                                             "loss_bytes_per_logit", "B");
        time.forward = time.input_gradient = 0.5 * bytes / memory_rate<N>(setup);
        break;
    }
    default: break;
    }
    if (setup.stack.release_age_years > 0) {
        const N age = age_factor<N>(setup, op.expert);
        time.forward *= age;
        time.input_gradient *= age;
        time.weight_gradient *= age;
    }
    return time;
}

template double gemm_time<double>(const Setup&, const double&, const double&, const double&, const double&,
                                  bool, bool);
template Traced gemm_time<Traced>(const Setup&, const Traced&, const Traced&, const Traced&, const Traced&,
                                  bool, bool);
template KernelTime<double> kernel_time<double>(const Setup&, const model::Operator<double>&);
template KernelTime<Traced> kernel_time<Traced>(const Setup&, const model::Operator<Traced>&);

} // namespace shardlens::cost
