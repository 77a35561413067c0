// SPDX-License-Identifier: GPL-3.0-or-later
// Host names in the order of their numbers, as machines stand in racks, and as text, as torchrun sorts them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::rules {

/// Runs of digits compare as numbers: node2 before node10.
[[nodiscard]] bool stands_before(std::string_view a, std::string_view b);

/// Names stand in that order.
[[nodiscard]] bool in_order(const std::vector<std::string>& hosts);

/// place[i] = position of hosts[i] in the order of the numbers: where the i-th launched host stands.
[[nodiscard]] std::vector<std::int64_t> places_of(const std::vector<std::string>& hosts);

/// The order in which torchrun's c10d rendezvous hands out node ranks, whatever the host file says: by the
/// address as text, node10 before node2 (torch/distributed/elastic/rendezvous/dynamic_rendezvous.py).
[[nodiscard]] std::vector<std::string> torchrun_order(std::vector<std::string> hosts);

} // namespace shardlens::rules
