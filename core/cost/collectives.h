// SPDX-License-Identifier: GPL-3.0-or-later
// Time of a collective from where its group's members sit. Formulas: ring all-reduce and friends with latency per
// message (alpha) and bytes over bandwidth (beta); two tiers (scale-up domain, network).
#pragma once

#include "catalog/setup.h"
#include "formula/traced.h"
#include "placement/placement.h"

namespace shardlens::cost {

/// Bytes each process sends in a ring all-reduce of `bytes` over `ranks`: 2 (P − 1) / P · N. [domain: Patarasuk and Yuan 2009]
template <class N> [[nodiscard]] N ring_all_reduce_bytes(N ranks, N bytes) {
    return 2.0 * (ranks - 1.0) / ranks * bytes;
}
/// Bytes each process sends in a ring all-gather or reduce-scatter of a full vector of `bytes`.
template <class N> [[nodiscard]] N ring_half_bytes(N ranks, N bytes) { return (ranks - 1.0) / ranks * bytes; }
/// Bytes through the port of a single parameter server: 2 N (P − 1).
template <class N> [[nodiscard]] N parameter_server_bytes(N ranks, N bytes) { return 2.0 * (ranks - 1.0) * bytes; }

/// Seconds of an all-gather or reduce-scatter of a full vector of `bytes` over a group placed like `reach`.
template <class N> [[nodiscard]] N gather_time(const Setup& setup, const placement::Reach& reach, N bytes);
/// Seconds of an all-reduce (reduce-scatter + all-gather; in-switch reduction inside one NVLS domain).
template <class N> [[nodiscard]] N all_reduce_time(const Setup& setup, const placement::Reach& reach, N bytes);
/// Seconds of an all-to-all in which every rank sends `bytes` in all, spread evenly over the group.
template <class N> [[nodiscard]] N all_to_all_time(const Setup& setup, const placement::Reach& reach, N bytes);
/// Seconds of one point-to-point message, inside the scale-up domain or over the network.
template <class N> [[nodiscard]] N point_to_point_time(const Setup& setup, bool crosses_node, N bytes);

} // namespace shardlens::cost
