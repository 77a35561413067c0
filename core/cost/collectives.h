// SPDX-License-Identifier: GPL-3.0-or-later
// Time of a collective from where its group's members sit. Formulas: ring all-reduce and friends with latency
// per message (alpha) and bytes over bandwidth (beta); two tiers (scale-up domain, network).
#pragma once

#include "catalog/setup.h"
#include "formula/traced.h"
#include "placement/placement.h"

namespace shardlens::cost {

/// Bytes each process sends in a ring all-reduce of `bytes` over `ranks`: 2 (P − 1) / P · N (Patarasuk and
/// Yuan 2009).
template <class N> [[nodiscard]] N ring_all_reduce_bytes(N ranks, N bytes) {
    return 2.0 * (ranks - 1.0) / ranks * bytes;
}
/// Bytes each process sends in a ring all-gather or reduce-scatter of a full vector of `bytes`.
template <class N> [[nodiscard]] N ring_half_bytes(N ranks, N bytes) { return (ranks - 1.0) / ranks * bytes; }
/// Bytes through the port of a single parameter server: 2 N (P − 1).
template <class N> [[nodiscard]] N parameter_server_bytes(N ranks, N bytes) {
    return 2.0 * (ranks - 1.0) * bytes;
}

/// The placement of a kind of group, or a group of `members` inside one domain when there is no placement. On
/// racks whose domain is no power of two (72) a job larger than one rack gets its ranks in segments of the
/// next lower one (64), so that groups do not straddle racks.
[[nodiscard]] placement::Reach reach_of(const Setup& setup, const placement::Placement* placement,
                                        placement::GroupKind kind, std::int64_t members);

/// Seconds of an all-gather or reduce-scatter of a full vector of `bytes` over a group placed like `reach`.
template <class N> [[nodiscard]] N gather_time(const Setup& setup, const placement::Reach& reach, N bytes);
/// Seconds of an all-reduce (reduce-scatter + all-gather; in-switch reduction inside one NVLS domain).
template <class N>
[[nodiscard]] N all_reduce_time(const Setup& setup, const placement::Reach& reach, N bytes);
/// Seconds of an all-to-all in which every rank sends `bytes` in all, spread evenly over the group. `copies`
/// > 0: the bytes are that many copies of each token, and a token goes to another node once (de-duplication).
template <class N>
[[nodiscard]] N all_to_all_time(const Setup& setup, const placement::Reach& reach, N bytes,
                                double copies = 0);
/// Seconds of one point-to-point message, inside the scale-up domain or over the network.
template <class N> [[nodiscard]] N point_to_point_time(const Setup& setup, bool crosses_node, N bytes);

extern template double gather_time<double>(const Setup&, const placement::Reach&, double);
extern template Traced gather_time<Traced>(const Setup&, const placement::Reach&, Traced);
extern template double all_reduce_time<double>(const Setup&, const placement::Reach&, double);
extern template Traced all_reduce_time<Traced>(const Setup&, const placement::Reach&, Traced);
extern template double all_to_all_time<double>(const Setup&, const placement::Reach&, double, double);
extern template Traced all_to_all_time<Traced>(const Setup&, const placement::Reach&, Traced, double);
extern template double point_to_point_time<double>(const Setup&, bool, double);
extern template Traced point_to_point_time<Traced>(const Setup&, bool, Traced);

} // namespace shardlens::cost
