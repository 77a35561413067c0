// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions against published runs: tables, a plot, cross-validation, and the fit of the constants.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <iostream>
#include <map>

#include "priors.h"
#include "runs.h"

using namespace shardlens;
using namespace shardlens::accuracy;
using calibrate::Parameter;
using calibrate::Sample;

namespace {

std::vector<Sample> samples_of(const std::vector<const Row*>& rows) {
    std::vector<Sample> samples;
    for (const Row* row : rows) samples.push_back(row->sample);
    return samples;
}

/// Relative errors predicted/measured − 1 of the rows of a set.
std::vector<double> errors_in(const Set& set, const std::vector<const Row*>& rows,
                              const std::vector<double>& predicted) {
    std::vector<double> errors;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (set.holds(*rows[i])) errors.push_back(predicted[i] / rows[i]->sample.measured_s - 1);
    return errors;
}

void print_sets(const char* title, const std::vector<const Row*>& rows, const std::vector<double>& predicted) {
    fmt::print("{}\n", title);
    const auto line = [&](const std::string& name, const std::vector<double>& errors) {
        const Errors e = errors_of(errors);
        if (e.runs > 0)
            fmt::print("  {:34} {:4} runs  median {:5.1f} %  mean {:5.1f} %  p90 {:5.1f} %  bias {:+5.1f} %\n", name,
                       e.runs, 100 * e.median, 100 * e.mean, 100 * e.p90, 100 * e.bias);
    };
    for (const Set& set : step_sets()) line(set.name, errors_in(set, rows, predicted));
    std::map<std::string, std::vector<double>> stacks;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (!rows[i]->sweep)
            stacks[rows[i]->sample.setup.stack.id + (rows[i]->sample.setup.moe() ? ", experts" : "")].push_back(
                predicted[i] / rows[i]->sample.measured_s - 1);
    for (const auto& [name, errors] : stacks) line(name, errors);
}

std::vector<double> cross_validated(const std::vector<const Row*>& rows, const std::vector<int>& fold, int folds,
                                    const std::vector<Parameter>& parameters) {
    std::vector<double> predicted(rows.size());
    for (int k = 0; k < folds; ++k) {
        std::vector<const Row*> train, test;
        std::vector<std::size_t> at;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (fold[i] == k) {
                test.push_back(rows[i]);
                at.push_back(i);
            } else {
                train.push_back(rows[i]);
            }
        const auto values = calibrate::fit(samples_of(train), parameters);
        const auto out = calibrate::predict(samples_of(test), parameters, values);
        for (std::size_t i = 0; i < at.size(); ++i) predicted[at[i]] = out[i];
    }
    return predicted;
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Predictions against published runs");
    std::string presets = "presets", priors = "tests/accuracy/priors.json", dump;
    bool refit = false, cross = false, no_sweep = false;
    int folds = 5;
    std::vector<std::string> only;
    app.add_option("--presets", presets);
    app.add_option("--priors", priors);
    app.add_option("--dump", dump, "CSV of every row");
    app.add_flag("--fit", refit);
    app.add_flag("--cross-validate", cross);
    app.add_flag("--no-sweep", no_sweep);
    app.add_option("--folds", folds);
    app.add_option("--stacks", only, "only these stacks' runs, with the shipped constants of GPUs")->delimiter(',');
    CLI11_PARSE(app, argc, argv);
    const auto start = std::chrono::steady_clock::now();
    const auto lap = [&](const char* what) {
        std::fprintf(stderr, "[%6.1f s] %s\n",
                     std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), what);
    };
    try {
        const Catalog catalog({presets});
        const std::vector<Row> all = load_rows(catalog);
        std::vector<const Row*> rows;
        for (const Row& row : all)
            if (fitted_on(row) && !(no_sweep && row.sweep) &&
                (only.empty() || std::count(only.begin(), only.end(), row.sample.setup.stack.id) > 0))
                rows.push_back(&row);
        lap("rows read");
        auto parameters = parameters_for(all, priors);
        if (!only.empty())
            std::erase_if(parameters, [&](const Parameter& parameter) {
                return parameter.owner != calibrate::Owner::stack ||
                       std::count(only.begin(), only.end(), parameter.id) == 0;
            });
        const auto shipped = calibrate::predict(samples_of(rows), {}, {});
        lap("shipped constants");
        print_sets("With the shipped constants", rows, shipped);
        std::vector<double> fitted, by_family, by_model;
        if (refit) {
            const auto values = calibrate::fit(samples_of(rows), parameters);
            lap("fitted");
            fitted = calibrate::predict(samples_of(rows), parameters, values);
            print_sets("Fitted on all rows", rows, fitted);
            for (std::size_t i = 0; i < parameters.size(); ++i)
                fmt::print("    {:22} {:32} {:12.4g}  prior {:10.4g} x {:5.2f}\n", parameters[i].id, parameters[i].key,
                           values[i], parameters[i].prior, values[i] / parameters[i].prior);
        }
        if (cross) {
            std::vector<Row> copies;
            const auto dealt = [&](std::string Row::*group) {
                const auto folds_of_all = deal_folds(all, group, folds);
                std::vector<int> fold;
                for (const Row* row : rows) fold.push_back(folds_of_all[static_cast<std::size_t>(row - all.data())]);
                return fold;
            };
            by_family = cross_validated(rows, dealt(&Row::family), folds, parameters);
            lap("cross-validated by family");
            print_sets("Cross-validated, families left out", rows, by_family);
            by_model = cross_validated(rows, dealt(&Row::whole_model), folds, parameters);
            lap("cross-validated by model");
            print_sets("Cross-validated, whole models left out", rows, by_model);
        }
        if (!dump.empty()) {
            FILE* file = std::fopen(dump.c_str(), "w");
            fmt::print(file, "id,stack,moe,sweep,node,gpus,precision,hidden,layers,seq,mbs,gbs,t,p,v,c,e,d,zero,recompute,mfu,measured,shipped,fitted,family_cv,model_cv,family\n");
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const Setup& s = rows[i]->sample.setup;
                const double m = rows[i]->sample.measured_s;
                const auto error = [&](const std::vector<double>& p) { return p.empty() ? 0.0 : p[i] / m - 1; };
                fmt::print(file, "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.5g},{:.4f},{:.4f},{:.4f},{:.4f},{}\n",
                           rows[i]->run.id, s.stack.id, s.moe() ? 1 : 0, rows[i]->sweep ? 1 : 0, s.cluster.node.id,
                           s.cluster.gpus, static_cast<int>(s.plan.training.precision), s.shape.hidden, s.shape.layers,
                           s.plan.training.sequence_length, s.plan.training.micro_batch_size,
                           s.plan.training.global_batch_size, s.tensor, s.pipeline, s.virtual_pipeline, s.context,
                           s.expert, s.data, s.zero, static_cast<int>(s.plan.memory.recompute),
                           rows[i]->run.mfu.value_or(0), m, error(shipped), error(fitted), error(by_family),
                           error(by_model), rows[i]->family);
            }
            std::fclose(file);
        }
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
    return 0;
}
