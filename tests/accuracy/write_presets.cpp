// SPDX-License-Identifier: GPL-3.0-or-later
#include "write_presets.h"

#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "json/strict_json.h"

namespace shardlens::accuracy {
namespace {

using calibrate::Owner;
using calibrate::Parameter;
using Json = nlohmann::ordered_json;

constexpr double kMoved = 0.02;       ///< of the logarithm: less is the prior
constexpr std::size_t kLeastRuns = 4; ///< of a kind of model on any GPU
constexpr const char* kFitted = "Least squares with priors on ";
constexpr const char* kPrior = "Prior that no published run moves";

Json read(const std::filesystem::path& file) {
    const auto text = read_text(file.string());
    if (!text) throw std::runtime_error(text.error().line());
    auto json = parse_strict(*text, file.string());
    if (!json) throw std::runtime_error(json.error().line());
    return std::move(json).value();
}

void write(const std::filesystem::path& file, const Json& json) {
    if (const Error error = write_text(file, json.dump(1) + "\n"); !error.what.empty())
        throw std::runtime_error(error.line());
}

double rounded(double value) { return std::stod(fmt::format("{:.4g}", value)); }

/// The constants of one file: those the data moved first, then priors, then everything else as it was.
void replace(Json& groups, const Json& moved, const Json& kept, std::size_t runs) {
    Json out = Json::array();
    if (!moved.empty())
        out.push_back({{"source", fmt::format("{}{} published runs", kFitted, runs)}, {"values", moved}});
    if (!kept.empty()) out.push_back({{"source", kPrior}, {"values", kept}});
    for (Json group : groups) {
        for (const Json* mine : {&moved, &kept})
            for (const auto& [key, value] : mine->items()) group["values"].erase(key);
        if (!group["values"].empty()) out.push_back(std::move(group));
    }
    groups = std::move(out);
}

/// Constants of one release of a stack.
void write_release(const std::filesystem::path& file, const std::string& version, const Json& moved,
                   const Json& kept) {
    Json json = read(file);
    for (Json& release : json["releases"])
        if (release["version"] == version) {
            release["values"].update(moved);
            release["values"].update(kept);
        }
    write(file, json);
}

std::size_t runs_using(const Rows& rows, Owner owner, const std::string& id) {
    std::size_t count = 0;
    for (const Row* row : rows) {
        const Setup& setup = row->sample.setup;
        count += (owner == Owner::stack ? setup.stack.id : setup.architecture.id) == id ? 1 : 0;
    }
    return count;
}

Json errors_json(const std::vector<double>& errors) {
    const Errors e = errors_of(errors);
    return {{"runs", e.runs}, {"step_median", rounded(e.median)}, {"step_p90", rounded(e.p90)}};
}

} // namespace

void write_constants(const std::filesystem::path& presets, const std::vector<Parameter>& parameters,
                     const std::vector<double>& values, const Rows& rows) {
    struct Split {
        Json moved = Json::object(), kept = Json::object();
    };
    std::map<std::pair<Owner, std::string>, Split> files;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Parameter& parameter = parameters[i];
        if (parameter.owner == Owner::clock) {
            const auto file = presets / "accelerators" / (parameter.id + ".json");
            Json json = read(file);
            json["clock_factor"] = rounded(values[i]);
            write(file, json);
            continue;
        }
        Split& split = files[{parameter.owner, parameter.id}];
        const bool moved = std::abs(std::log(values[i] / parameter.prior)) > kMoved;
        (moved ? split.moved : split.kept)[parameter.key] = rounded(values[i]);
    }
    for (const auto& [owner, split] : files) {
        if (const auto at = owner.second.find('@'); at != std::string::npos) {
            write_release(presets / "stacks" / (owner.second.substr(0, at) + ".json"),
                          owner.second.substr(at + 1), split.moved, split.kept);
            continue;
        }
        const char* folder = owner.first == Owner::stack ? "stacks" : "architectures";
        const auto file = presets / folder / (owner.second + ".json");
        Json json = read(file);
        replace(json["constants"], split.moved, split.kept, runs_using(rows, owner.first, owner.second));
        write(file, json);
    }
}

void write_accuracy(const std::filesystem::path& presets, const Rows& rows, const Prediction& prediction,
                    const std::map<std::string, std::vector<double>>& memory_errors) {
    std::map<std::string, std::vector<double>> stacks;
    std::map<std::string, std::map<std::pair<std::string, bool>, std::vector<double>>> classes;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Setup& setup = rows[i]->sample.setup;
        const double error = prediction.predicted[i] / rows[i]->sample.measured_s - 1;
        stacks[setup.stack.id].push_back(error);
        for (const std::string& architecture : {setup.architecture.id, std::string()})
            classes[setup.stack.id][{architecture, setup.moe()}].push_back(error);
    }
    for (const auto& [stack, errors] : stacks) {
        const auto file = presets / "stacks" / (stack + ".json");
        Json json = read(file);
        Json accuracy{
            {"source",
             "step time: published runs predicted by a fit on other runs (five folds of layout families); "
             "memory: with the constants as shipped"}};
        accuracy.update(errors_json(errors));
        if (const auto memory = memory_errors.find(stack); memory != memory_errors.end()) {
            const Errors e = errors_of(memory->second);
            accuracy["memory_median"] = rounded(e.median);
            accuracy["memory_p90"] = rounded(e.p90);
        }
        Json list = Json::array();
        for (const auto& [kind, some] : classes[stack]) {
            // A kind on any GPU that is all the stack has would only repeat the stack's own figures.
            if (kind.first.empty() && (some.size() < kLeastRuns || some.size() == errors.size())) continue;
            Json one{{"architecture", kind.first}, {"experts", kind.second}};
            one.update(errors_json(some));
            list.push_back(std::move(one));
        }
        accuracy["classes"] = std::move(list);
        json["accuracy"] = std::move(accuracy);
        write(file, json);
    }
}

} // namespace shardlens::accuracy
