// SPDX-License-Identifier: GPL-3.0-or-later
#include "priors.h"

#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "json/strict_json.h"

namespace shardlens::accuracy {
namespace {

using calibrate::Owner;
using calibrate::Parameter;
using Json = nlohmann::ordered_json;

using Priors = std::map<std::string, Parameter>; ///< by key; owner and id are filled in later

void merge(Priors& into, const Json& object, const std::string& file) {
    for (const auto& [key, numbers] : object.items()) {
        if (!numbers.is_array() || numbers.size() != 4)
            throw std::runtime_error(
                fmt::format("{}: {} must be [prior, spread, lowest, highest]", file, key));
        Parameter& parameter = into[key];
        parameter.key = key;
        parameter.prior = numbers[0].get<double>();
        parameter.sigma = numbers[1].get<double>();
        parameter.low = numbers[2].get<double>();
        parameter.high = numbers[3].get<double>();
        if (!(parameter.low > 0 && parameter.low <= parameter.prior && parameter.prior <= parameter.high &&
              parameter.sigma > 0))
            throw std::runtime_error(fmt::format("{}: {} needs 0 < lowest <= prior <= highest", file, key));
    }
}

void append(std::vector<Parameter>& all, const Priors& priors, Owner owner, const std::string& id) {
    StackProfile stack;
    Architecture architecture;
    for (const auto& [key, prior] : priors) {
        const bool known =
            owner == Owner::clock ||
            (owner == Owner::stack ? number_field(stack, key) : number_field(architecture, key)).value !=
                nullptr;
        if (!known) throw std::runtime_error(fmt::format("priors: there is no constant \"{}\"", key));
        all.push_back(prior);
        all.back().owner = owner;
        all.back().id = id;
    }
}

} // namespace

std::vector<Parameter> parameters_for(const std::vector<Row>& rows, const std::string& priors_file) {
    const auto text = read_text(priors_file);
    if (!text) throw std::runtime_error(text.error().line());
    const auto parsed = parse_strict(*text, priors_file);
    if (!parsed) throw std::runtime_error(parsed.error().line());
    const Json& file = *parsed;

    std::set<std::string> stacks, releases, with_experts, architectures, clocks;
    for (const Row& row : rows) {
        if (!fitted_on(row)) continue;
        const Setup& setup = row.sample.setup;
        stacks.insert(setup.stack.id);
        releases.insert(setup.stack.id + "@" + setup.stack.version);
        if (setup.moe()) with_experts.insert(setup.stack.id);
        architectures.insert(setup.architecture.id);
        clocks.insert(setup.cluster.accelerator.id);
    }
    std::vector<Parameter> all;
    for (const auto& id : stacks) {
        Priors priors;
        merge(priors, file["stack"], priors_file);
        if (with_experts.contains(id)) merge(priors, file["moe"], priors_file);
        if (file["stacks"].contains(id)) merge(priors, file["stacks"][id], priors_file);
        append(all, priors, Owner::stack, id);
    }
    for (const auto& id : releases)
        if (file["stacks"].contains(id)) {
            Priors priors; // what the release does not name, it shares with the stack
            merge(priors, file["stacks"][id], priors_file);
            append(all, priors, Owner::stack, id);
        }
    for (const auto& id : architectures) {
        Priors priors;
        merge(priors, file["architecture"], priors_file);
        if (file["architectures"].contains(id)) merge(priors, file["architectures"][id], priors_file);
        append(all, priors, Owner::architecture, id);
    }
    for (const auto& id : clocks)
        if (file["clock"].contains(id)) {
            Priors priors;
            merge(priors, Json{{"clock_factor", file["clock"][id]}}, priors_file);
            append(all, priors, Owner::clock, id);
        }
    return all;
}

} // namespace shardlens::accuracy
