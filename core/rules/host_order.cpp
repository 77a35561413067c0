// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/host_order.h"

#include <algorithm>
#include <numeric>

namespace shardlens::rules {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes a run of digits off the front, without leading zeros.
std::string_view take_number(std::string_view& text) {
    std::size_t length = 0;
    while (length < text.size() && is_digit(text[length])) ++length;
    std::string_view number = text.substr(0, length);
    text.remove_prefix(length);
    while (number.size() > 1 && number.front() == '0') number.remove_prefix(1);
    return number;
}

} // namespace

bool stands_before(std::string_view a, std::string_view b) {
    const std::string_view whole_a = a, whole_b = b;
    while (!a.empty() && !b.empty()) {
        if (is_digit(a.front()) && is_digit(b.front())) {
            const std::string_view left = take_number(a), right = take_number(b);
            if (left.size() != right.size()) return left.size() < right.size();
            if (left != right) return left < right;
        } else {
            if (a.front() != b.front()) return a.front() < b.front();
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    if (a.empty() != b.empty()) return a.empty();
    return whole_a < whole_b; // node1 and node01
}

bool in_order(const std::vector<std::string>& hosts) {
    return std::is_sorted(hosts.begin(), hosts.end(), stands_before);
}

std::vector<std::int64_t> places_of(const std::vector<std::string>& hosts) {
    std::vector<std::int64_t> launched(hosts.size());
    std::iota(launched.begin(), launched.end(), 0);
    std::stable_sort(launched.begin(), launched.end(), [&](std::int64_t a, std::int64_t b) {
        return stands_before(hosts[static_cast<std::size_t>(a)], hosts[static_cast<std::size_t>(b)]);
    });
    std::vector<std::int64_t> places(hosts.size());
    for (std::size_t place = 0; place < launched.size(); ++place)
        places[static_cast<std::size_t>(launched[place])] = static_cast<std::int64_t>(place);
    return places;
}

std::vector<std::string> torchrun_order(std::vector<std::string> hosts) {
    std::sort(hosts.begin(), hosts.end());
    return hosts;
}

} // namespace shardlens::rules
