// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <random>
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
    std::vector<std::string> groups;
    for (const Row& row : rows) groups.push_back(row.*group);
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    // std::shuffle's order differs between standard libraries; this one does not.
    std::mt19937 random(20240923);
    for (std::size_t i = groups.size(); i > 1; --i) std::swap(groups[i - 1], groups[random() % i]);
    std::map<std::string, int> fold;
    for (std::size_t i = 0; i < groups.size(); ++i) fold[groups[i]] = static_cast<int>(i) % folds;
    std::vector<int> dealt;
    for (const Row& row : rows) dealt.push_back(fold[row.*group]);
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
