// SPDX-License-Identifier: GPL-3.0-or-later
// Seconds of one operator on one GPU: tile- and wave-quantised GEMM roofline, attention core, elementwise
// traffic. Constants: presets/architectures (kernel timings of 5,616 A100 and 7,020 GH200 GEMM shapes,
// published runs).
#pragma once

#include "formula/traced.h"
#include "model/operators.h"

namespace shardlens::cost {

/// Seconds of one operator's forward pass and of the two halves of its backward pass.
template <class N> struct KernelTime {
    N forward = 0;
    N input_gradient = 0; ///< whole backward of operators without weights
    N weight_gradient = 0;

    [[nodiscard]] N backward() const { return input_gradient + weight_gradient; }
};

/// One GEMM of m × n × k, `groups` equal ones: slower of compute and memory traffic, plus launch.
template <class N>
[[nodiscard]] N gemm_time(const Setup& setup, const N& m, const N& n, const N& k, const N& groups,
                          bool low_precision, bool expert);

/// GEMM, attention, elementwise and loss operators; collectives take no time here.
template <class N> [[nodiscard]] KernelTime<N> kernel_time(const Setup& setup, const model::Operator<N>& op);

extern template double gemm_time<double>(const Setup&, const double&, const double&, const double&,
                                         const double&, bool, bool);
extern template Traced gemm_time<Traced>(const Setup&, const Traced&, const Traced&, const Traced&,
                                         const Traced&, bool, bool);
extern template KernelTime<double> kernel_time<double>(const Setup&, const model::Operator<double>&);
extern template KernelTime<Traced> kernel_time<Traced>(const Setup&, const model::Operator<Traced>&);

} // namespace shardlens::cost
