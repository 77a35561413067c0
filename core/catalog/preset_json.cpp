// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/preset_json.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "plan/plan_json.h"
#include "json/strict_json.h"
#include "json/text.h"

namespace shardlens {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMaxCount = 2147483647; // contract: counts up to 2^31 - 1
constexpr double kMaxRate = 1e21;        // far above any device, and squares of it are still finite

/// One row per key of a preset file: where it goes and what it may be.
template <class T> struct Row {
    const char* key;
    std::variant<std::string T::*, double T::*, std::optional<double> T::*, std::int64_t T::*, bool T::*>
        member;
    bool required = false;
    double low = 0;
    double high = kMaxRate;
};

const std::array kAcceleratorRows = {
    Row<Accelerator>{"id", &Accelerator::id, true},
    Row<Accelerator>{"name", &Accelerator::name, true},
    Row<Accelerator>{"vendor", &Accelerator::vendor, true},
    Row<Accelerator>{"source", &Accelerator::source, true},
    Row<Accelerator>{"note", &Accelerator::note},
    Row<Accelerator>{"architecture", &Accelerator::architecture, true},
    Row<Accelerator>{"plan_with_bytes", &Accelerator::plan_with_bytes, false, 1},
    Row<Accelerator>{"bytes_if_decimal_gb", &Accelerator::bytes_if_decimal_gb, true, 1},
    Row<Accelerator>{"bytes_if_binary_gib", &Accelerator::bytes_if_binary_gib, true, 1},
    Row<Accelerator>{"memory_bandwidth_bytes_per_s", &Accelerator::memory_bandwidth_bytes_per_s, true, 1},
    Row<Accelerator>{"fp32_flops", &Accelerator::fp32_flops},
    Row<Accelerator>{"tf32_flops", &Accelerator::tf32_flops},
    Row<Accelerator>{"bf16_flops", &Accelerator::bf16_flops},
    Row<Accelerator>{"fp16_flops", &Accelerator::fp16_flops},
    Row<Accelerator>{"fp8_flops", &Accelerator::fp8_flops},
    Row<Accelerator>{"fp4_flops", &Accelerator::fp4_flops},
    Row<Accelerator>{"scale_up_bytes_per_s", &Accelerator::scale_up_bytes_per_s},
    Row<Accelerator>{"host_link_bytes_per_s", &Accelerator::host_link_bytes_per_s},
    Row<Accelerator>{"tdp_w", &Accelerator::tdp_w, false, 0, 1e6},
    Row<Accelerator>{"compute_units", &Accelerator::compute_units, false, 1, kMaxCount},
    Row<Accelerator>{"clock_factor", &Accelerator::clock_factor, false, 0.01, 10},
};

const std::array kNodeRows = {
    Row<Node>{"id", &Node::id, true},
    Row<Node>{"name", &Node::name, true},
    Row<Node>{"source", &Node::source, true},
    Row<Node>{"note", &Node::note},
    Row<Node>{"accelerator", &Node::accelerator, true},
    Row<Node>{"gpus_per_node", &Node::gpus_per_node, true, 1, kMaxCount},
    Row<Node>{"scale_up_domain", &Node::scale_up_domain, true, 1, kMaxCount},
    Row<Node>{"in_switch_reduction", &Node::in_switch_reduction},
    Row<Node>{"full_mesh", &Node::full_mesh},
    Row<Node>{"hybrid_cube_mesh", &Node::hybrid_cube_mesh},
    Row<Node>{"scale_up_bytes_per_s_per_gpu", &Node::scale_up_bytes_per_s_per_gpu, true, 1},
    Row<Node>{"scale_out_bytes_per_s_per_gpu", &Node::scale_out_bytes_per_s_per_gpu, true, 1},
    Row<Node>{"nics_per_node", &Node::nics_per_node, true, 0, kMaxCount},
    Row<Node>{"scale_up_latency_s", &Node::scale_up_latency_s, true, 0, 1},
    Row<Node>{"scale_out_latency_s", &Node::scale_out_latency_s, true, 0, 1},
    Row<Node>{"nodes_per_pod", &Node::nodes_per_pod, false, 0, kMaxCount},
    Row<Node>{"oversubscription", &Node::oversubscription, false, 1, 1000},
    Row<Node>{"torus_dimensions", &Node::torus_dimensions, false, 0, 6},
    Row<Node>{"torus_ring", &Node::torus_ring, false, 0, kMaxCount},
    Row<Node>{"package_accelerators", &Node::package_accelerators, false, 1, 64},
    Row<Node>{"package_bytes_per_s", &Node::package_bytes_per_s},
    Row<Node>{"efa", &Node::efa},
    Row<Node>{"host_speed", &Node::host_speed, false, 0.1, 10},
    Row<Node>{"host_memory_bytes", &Node::host_memory_bytes, true},
    Row<Node>{"host_link_bytes_per_s", &Node::host_link_bytes_per_s, true, 1},
    Row<Node>{"node_power_w", &Node::node_power_w, false, 0, 1e9},
    Row<Node>{"dollars_per_gpu_hour", &Node::dollars_per_gpu_hour, false, 0, 1e9},
};

constexpr std::array<std::pair<std::string_view, FabricTopology>, 5> kTopologies = {{
    {"rail-optimised", FabricTopology::rail_optimised},
    {"fat-tree", FabricTopology::fat_tree},
    {"dragonfly", FabricTopology::dragonfly},
    {"torus", FabricTopology::torus},
    {"single-node", FabricTopology::single_node},
}};

Error problem(const std::string& origin, std::string_view key, std::string_view what) {
    return {origin, fmt::format("\"{}\" {}", one_line(key), what)};
}

template <class T> std::string set_value(const Row<T>& row, const Json& value, T& out) {
    if (const auto* text = std::get_if<std::string T::*>(&row.member)) {
        if (!value.is_string() || value.get_ref<const std::string&>().empty())
            return "must be a text that is not empty";
        out.*(*text) = value.get<std::string>();
        return {};
    }
    if (const auto* flag = std::get_if<bool T::*>(&row.member)) {
        if (!value.is_boolean()) return "must be true or false";
        out.*(*flag) = value.get<bool>();
        return {};
    }
    if (!value.is_number()) return "must be a number";
    const auto number = value.get<double>();
    if (!(number >= row.low && number <= row.high))
        return fmt::format("must be between {:.15g} and {:.15g}", row.low, row.high);
    if (const auto* count = std::get_if<std::int64_t T::*>(&row.member)) {
        if (number != std::floor(number)) return "must be a whole number";
        out.*(*count) = static_cast<std::int64_t>(number);
    } else if (const auto* optional = std::get_if<std::optional<double> T::*>(&row.member)) {
        out.*(*optional) = number;
    } else {
        out.*(std::get<double T::*>(row.member)) = number;
    }
    return {};
}

/// Reads an object by its rows; `extra` gets the keys that no row has and says whether it knows them.
template <class T, std::size_t Size, class Extra>
Result<T> read_rows(const Json& object, const std::string& origin, const std::array<Row<T>, Size>& rows,
                    const char* extra_key, Extra extra) {
    if (!object.is_object()) return Error{origin, "must hold one JSON object"};
    T out;
    for (const auto& [key, value] : object.items()) {
        if (extra_key != nullptr && key == extra_key) {
            if (auto wrong = extra(value, out); !wrong.empty()) return problem(origin, key, wrong);
            continue;
        }
        const Row<T>* found = nullptr;
        for (const auto& row : rows)
            if (key == row.key) found = &row;
        if (found == nullptr) {
            std::vector<std::string_view> known;
            for (const auto& row : rows) known.emplace_back(row.key);
            if (extra_key != nullptr) known.emplace_back(extra_key);
            const auto near = nearest(key, known);
            return problem(
                origin, key,
                near.empty()
                    ? "is not a field of this kind of preset"
                    : fmt::format("is not a field of this kind of preset; did you mean \"{}\"?", near));
        }
        if (auto wrong = set_value(*found, value, out); !wrong.empty()) return problem(origin, key, wrong);
    }
    for (const auto& row : rows)
        if (row.required && !object.contains(row.key)) return problem(origin, row.key, "is missing");
    return out;
}

} // namespace

Result<Accelerator> accelerator_from_json(const Json& object, const std::string& origin) {
    auto read = read_rows(object, origin, kAcceleratorRows, nullptr,
                          [](const Json&, Accelerator&) { return std::string{}; });
    if (!read) return read;
    if (read->fp32_flops <= 0 && read->bf16_flops <= 0 && read->fp16_flops <= 0)
        return Error{origin, "one of \"fp32_flops\", \"fp16_flops\" and \"bf16_flops\" must be given"};
    return read;
}

Result<Node> node_from_json(const Json& object, const std::string& origin) {
    const auto topology = [](const Json& value, Node& node) -> std::string {
        if (value.is_string())
            for (const auto& [name, kind] : kTopologies)
                if (value.get_ref<const std::string&>() == name) {
                    node.topology = kind;
                    return {};
                }
        return "must be rail-optimised, fat-tree, dragonfly, torus or single-node";
    };
    auto read = read_rows(object, origin, kNodeRows, "topology", topology);
    if (!read) return read;
    if (read->torus_dimensions > 0 && (read->full_mesh || read->in_switch_reduction))
        return problem(origin, "torus_dimensions",
                       "excludes \"full_mesh\" and \"in_switch_reduction\": the fast fabric is one of them");
    if (read->hybrid_cube_mesh &&
        (read->full_mesh || read->in_switch_reduction || read->torus_dimensions > 0))
        return problem(
            origin, "hybrid_cube_mesh",
            "excludes \"full_mesh\", \"in_switch_reduction\" and \"torus_dimensions\": the fast fabric is "
            "one of them");
    if (read->torus_ring > 0 && read->torus_dimensions == 0)
        return problem(origin, "torus_ring", "needs \"torus_dimensions\"");
    return read;
}

Result<ModelPreset> model_preset_from_json(const Json& object, const std::string& origin) {
    if (!object.is_object()) return Error{origin, "must hold one JSON object"};
    static constexpr std::array<std::string_view, 5> kExtra = {"id", "family", "source", "published", "note"};
    auto shape = model_from_json(object, origin, "", kExtra);
    if (!shape) return shape.error();
    ModelPreset preset;
    preset.shape = *shape;
    for (const auto& [key, member] : {std::pair{"id", &preset.id}, std::pair{"family", &preset.family},
                                      std::pair{"source", &preset.source}, std::pair{"note", &preset.note}}) {
        const auto at = object.find(key);
        if (at == object.end()) {
            if (member == &preset.note || member == &preset.family) continue;
            return problem(origin, key, "is missing");
        }
        if (!at->is_string()) return problem(origin, key, "must be a text");
        *member = at->get<std::string>();
    }
    const auto published = object.find("published");
    if (published != object.end()) {
        static constexpr std::string_view kWrong =
            "must be an object with \"parameters\", \"exact\" and \"source\"";
        if (!published->is_object()) return problem(origin, "published", kWrong);
        const auto total = published->find("parameters");
        if (total == published->end() || !total->is_number() || total->get<double>() <= 0)
            return problem(origin, "published", kWrong);
        preset.published_parameters = total->get<double>();
    }
    return preset;
}

} // namespace shardlens
