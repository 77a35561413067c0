// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/rank_order.h"

#include <fmt/format.h>
#include <string>

namespace shardlens::rules {

namespace {

struct LauncherOrder {
    std::string_view launcher;
    std::string_view order; ///< fastest axis first
};

/// As the launchers' own code lays their meshes out: Megatron parallel_state.py (both orders), DeepSpeed
/// PipeModelDataParallelTopology, torchtitan build_mesh, nanotron ParallelContext (experts outermost),
/// ColossalAI HybridParallelPlugin (sequence axis innermost), accelerate ParallelismConfig, composer
/// _create_device_mesh, BMTrain.
constexpr std::array<LauncherOrder, 10> kLauncherOrders = {{
    {"megatron", "tp-cp-ep-dp-pp"},
    {"megatron-tp-pp-dp", "tp-cp-ep-pp-dp"},
    {"deepspeed", "tp-cp-ep-dp-pp"},
    {"torchtitan", "tp-cp-ep-dp-pp"},
    {"nanotron", "tp-cp-dp-pp-ep"},
    {"colossalai", "cp-tp-ep-pp-dp"},
    {"colossalai-dp-inside", "cp-tp-ep-dp-pp"},
    {"accelerate", "tp-cp-ep-dp-pp"},
    {"composer", "tp-cp-ep-dp-pp"},
    {"bmtrain", "tp-cp-ep-dp-pp"},
}};

constexpr std::array<std::string_view, 5> kAxisNames = {"tp", "cp", "ep", "dp", "pp"};

Error wrong(const std::string& what) {
    return {"parallel.rank_order", fmt::format("{}; write tp, cp, dp and pp once each (ep at will), fastest "
                                               "first, such as \"{}\", or a launcher "
                                               "such as \"megatron\"",
                                               what, kDefaultRankOrder)};
}

} // namespace

Result<AxisOrder> parse_axis_order(std::string_view text) {
    for (const LauncherOrder& row : kLauncherOrders)
        if (row.launcher == text) return parse_axis_order(row.order);

    AxisOrder order{};
    std::size_t count = 0;
    std::array<bool, 5> seen{};
    std::string_view rest = text;
    while (true) {
        const std::size_t dash = rest.find('-');
        const std::string_view name = rest.substr(0, dash);
        std::size_t axis = 0;
        while (axis < kAxisNames.size() && kAxisNames[axis] != name) ++axis;
        if (axis == kAxisNames.size()) return wrong(fmt::format("\"{}\" has no axis \"{}\"", text, name));
        if (seen[axis]) return wrong(fmt::format("\"{}\" names {} twice", text, name));
        seen[axis] = true;
        order[count++] = static_cast<OrderAxis>(axis);
        if (dash == std::string_view::npos) break;
        rest = rest.substr(dash + 1);
    }
    for (std::size_t axis = 0; axis < kAxisNames.size(); ++axis)
        if (!seen[axis] && static_cast<OrderAxis>(axis) != OrderAxis::ep)
            return wrong(fmt::format("\"{}\" leaves {} out", text, kAxisNames[axis]));
    if (!seen[static_cast<std::size_t>(OrderAxis::ep)]) {
        std::size_t place = count;
        while (order[place - 1] != OrderAxis::tp) {
            order[place] = order[place - 1];
            --place;
        }
        order[place] = OrderAxis::ep;
    }
    return order;
}

} // namespace shardlens::rules
