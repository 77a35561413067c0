// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <stdexcept>

namespace shardlens::accuracy {
namespace {

std::string family_of(const Setup& setup) {
    const Plan& plan = setup.plan;
    return fmt::format("{} {} {} {} t{} p{} e{} r{} {} {}", setup.stack.id, setup.shape.hidden,
                       setup.shape.layers, static_cast<int>(plan.training.precision), setup.tensor,
                       setup.pipeline, setup.expert, static_cast<int>(plan.memory.recompute),
                       plan.cluster.node, plan.cluster.accelerator.value_or(""));
}

std::string model_of(const Setup& setup) {
    return fmt::format("{} {} {} {}", setup.stack.id, setup.shape.hidden, setup.shape.layers,
                       setup.shape.vocab);
}

/// FNV-1a, the same on every machine.
std::uint64_t fingerprint(const std::string& text) {
    std::uint64_t hash = 14695981039346656037ULL;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return hash;
}

bool starts(const std::string& text, const char* with) { return text.rfind(with, 0) == 0; }

bool is_dense(const Row& row) { return !row.sample.setup.moe(); }

} // namespace

std::vector<Row> load_rows(const Catalog& catalog) {
    auto runs = calibrate::published_runs(catalog);
    if (!runs) throw std::runtime_error(runs.error().line());
    std::vector<Row> rows;
    std::map<std::string, double> family_size;
    for (calibrate::PublishedRun run : *runs) {
        auto sample = calibrate::make_sample(run.plan, catalog, run.step_s.value_or(0));
        if (!sample) throw std::runtime_error(run.id + ": " + sample.error().line());
        Row row;
        row.sample = std::move(sample).value();
        row.sample.id = run.id;
        row.sweep = run.out_of_memory.has_value();
        row.family = family_of(row.sample.setup);
        row.whole_model = model_of(row.sample.setup);
        row.run = std::move(run);
        if (fitted_on(row)) ++family_size[row.family];
        rows.push_back(std::move(row));
    }
    // Rows of one family are not independent of each other.
    for (Row& row : rows) row.sample.weight = std::pow(std::max(1.0, family_size[row.family]), -0.3);
    return rows;
}

bool fitted_on(const Row& row) {
    if (!(row.sample.measured_s > 0)) return false;
    return !row.sweep || row.sample.setup.pipeline == 1 || row.run.after_pipeline_fix;
}

const std::vector<Set>& step_sets() {
    static const auto stack_is = [](const Row& row, std::initializer_list<const char*> ids) {
        return std::any_of(ids.begin(), ids.end(),
                           [&](const char* id) { return row.sample.setup.stack.id == id; });
    };
    static const std::vector<Set> sets = {
        {"dense", [](const Row& r) { return !r.sweep && is_dense(r); }},
        {"mixture of experts", [](const Row& r) { return !r.sweep && !is_dense(r); }},
        {"NVIDIA stacks, dense",
         [](const Row& r) {
             return !r.sweep && is_dense(r) && stack_is(r, {"nemo", "megatron-bridge", "megatron-core"});
         }},
        {"vTrain, several nodes", [](const Row& r) { return starts(r.run.id, "vtrain-m"); }},
        {"vTrain, one node", [](const Row& r) { return starts(r.run.id, "vtrain-s"); }},
        {"Korthikanti", [](const Row& r) { return starts(r.run.source, "Korthikanti"); }},
        {"playbook, MFU of 15 % or more",
         [](const Row& r) { return r.sweep && fitted_on(r) && r.run.mfu.value_or(0) >= 0.15; }},
        {"playbook", [](const Row& r) { return r.sweep && fitted_on(r); }},
    };
    return sets;
}

std::vector<int> deal_folds(const std::vector<Row>& rows, std::string Row::*group, int folds) {
    // Stack by stack, so that every fold holds its share of each; in an order that no other stack's rows
    // change.
    std::map<std::string, std::map<std::pair<std::uint64_t, std::string>, int>> stacks;
    for (const Row& row : rows) stacks[row.sample.setup.stack.id][{fingerprint(row.*group), row.*group}] = 0;
    for (auto& [stack, groups] : stacks) {
        std::uint64_t next = fingerprint(stack);
        for (auto& [key, fold] : groups) fold = static_cast<int>(next++ % static_cast<std::uint64_t>(folds));
    }
    std::vector<int> dealt;
    for (const Row& row : rows)
        dealt.push_back(stacks[row.sample.setup.stack.id][{fingerprint(row.*group), row.*group}]);
    return dealt;
}

Errors errors_of(std::vector<double> signed_errors) {
    Errors out;
    out.runs = signed_errors.size();
    if (signed_errors.empty()) return out;
    const auto quantile = [](const std::vector<double>& sorted, double q) {
        const double at = q * static_cast<double>(sorted.size() - 1);
        const auto below = static_cast<std::size_t>(at);
        const std::size_t above = std::min(below + 1, sorted.size() - 1);
        return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
    };
    std::sort(signed_errors.begin(), signed_errors.end());
    out.bias = quantile(signed_errors, 0.5);
    for (double& e : signed_errors) {
        e = std::abs(e);
        out.mean += e / static_cast<double>(out.runs);
    }
    std::sort(signed_errors.begin(), signed_errors.end());
    out.median = quantile(signed_errors, 0.5);
    out.p90 = quantile(signed_errors, 0.9);
    return out;
}

} // namespace shardlens::accuracy
