// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions against published runs: tables, a plot, cross-validation, stored bounds, and the fit of the
// constants in presets/.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>

#include "memory.h"
#include "priors.h"
#include "report.h"
#include "runs.h"
#include "write_presets.h"
#include "json/strict_json.h"

using namespace shardlens;
using namespace shardlens::accuracy;
using calibrate::Parameter;
using calibrate::Sample;

namespace {

struct Settings {
    std::string presets = "presets", priors = "tests/accuracy/priors.json", out, bounds, dump;
    bool memory = false, fit = false, cross_validate = false, write = false, write_errors = false,
         no_sweep = false;
    int folds = 5;
    std::vector<std::string> stacks;

    [[nodiscard]] bool wants(const std::string& stack) const {
        return stacks.empty() || std::find(stacks.begin(), stacks.end(), stack) != stacks.end();
    }
};

class Clock {
public:
    void lap(const char* what) const {
        const std::chrono::duration<double> since = std::chrono::steady_clock::now() - m_start;
        std::cerr << fmt::format("[{:6.1f} s] {}\n", since.count(), what);
    }

private:
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

std::vector<Sample> samples_of(const Rows& rows) {
    std::vector<Sample> samples;
    for (const Row* row : rows) samples.push_back(row->sample);
    return samples;
}

void print(const Rows& rows, const Prediction& prediction) {
    std::cout << prediction.name << "\n"
              << table(step_sets(), rows, prediction) << table(sets_by_stack(rows), rows, prediction)
              << std::flush;
}

/// Every row predicted by a fit on the folds it is not in.
Prediction cross_validated(const char* name, const Rows& rows, const std::vector<Row>& all,
                           std::string Row::*group, int folds, const std::vector<Parameter>& parameters) {
    const auto dealt = deal_folds(all, group, folds);
    Prediction out{name, std::vector<double>(rows.size())};
    for (int fold = 0; fold < folds; ++fold) {
        Rows train, test;
        std::vector<std::size_t> at;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const bool left_out = dealt[static_cast<std::size_t>(rows[i] - all.data())] == fold;
            (left_out ? test : train).push_back(rows[i]);
            if (left_out) at.push_back(i);
        }
        const auto values = calibrate::fit(samples_of(train), parameters, {.own_spread = true});
        const auto predicted = calibrate::predict(samples_of(test), parameters, values);
        for (std::size_t i = 0; i < at.size(); ++i) out.predicted[at[i]] = predicted[i];
    }
    return out;
}

void print_constants(const std::vector<Parameter>& parameters, const std::vector<double>& values) {
    for (std::size_t i = 0; i < parameters.size(); ++i)
        std::cout << fmt::format("    {:22} {:32} {:12.4g}  prior {:10.4g} x {:5.2f}\n", parameters[i].id,
                                 parameters[i].key, values[i], parameters[i].prior,
                                 values[i] / parameters[i].prior);
}

/// Figures of the step time's sets, in the form of the memory's.
Figures figures_of(const Rows& rows, const std::vector<Prediction>& predictions) {
    Figures figures;
    for (const Prediction& prediction : predictions)
        for (const Set& set : step_sets()) {
            const Errors e = errors_of(errors_in(set, rows, prediction));
            if (e.runs > 0)
                figures[prediction.name][set.name] = {{"median", e.median}, {"mean", e.mean}, {"p90", e.p90}};
        }
    return figures;
}

/// Figures that must not get worse: {"how fitted": {"set": {"median" | "mean" | "p90" | …: bound}}}. Returns
/// how many are broken, each with a line on standard error.
int broken_bounds(const std::string& file, const Figures& figures) {
    const auto text = read_text(file);
    if (!text) throw std::runtime_error(text.error().line());
    const auto bounds = parse_strict(*text, file);
    if (!bounds) throw std::runtime_error(bounds.error().line());
    int broken = 0;
    for (const auto& [fit, sets] : bounds->items())
        for (const auto& [set, kinds] : sets.items())
            for (const auto& [kind, bound] : kinds.items()) {
                const auto of_fit = figures.find(fit);
                if (of_fit == figures.end()) continue; // not asked for in this run
                const auto of_set = of_fit->second.find(set);
                if (of_set == of_fit->second.end() || !of_set->second.contains(kind))
                    throw std::runtime_error(
                        fmt::format("{}: there is no figure {}, {}, {}", file, fit, set, kind));
                const double reached = of_set->second.at(kind);
                if (reached <= bound.get<double>()) continue;
                ++broken;
                std::cerr << fmt::format("{}, {}: {} is {:.4f}, more than {:.4f}\n", fit, set, kind, reached,
                                         bound.get<double>());
            }
    return broken;
}

int run(const Settings& settings) {
    const Clock clock;
    const Catalog catalog({settings.presets});
    const std::vector<Row> all = load_rows(catalog);
    const bool validates = settings.cross_validate || settings.write || settings.write_errors;
    MemoryFigures memory;
    if (settings.stacks.empty()) {
        memory = memory_figures(all, {validates, settings.folds, settings.dump});
        std::cout << memory.text;
        clock.lap("memory");
    }
    if (settings.memory) return 0;
    Rows rows;
    for (const Row& row : all)
        if (fitted_on(row) && !(settings.no_sweep && row.sweep) && settings.wants(row.sample.setup.stack.id))
            rows.push_back(&row);
    clock.lap("rows read");
    auto parameters = parameters_for(all, settings.priors);
    if (!settings.stacks.empty())
        std::erase_if(parameters, [&](const Parameter& parameter) {
            return parameter.owner != calibrate::Owner::stack ||
                   !settings.wants(parameter.id.substr(0, parameter.id.find('@')));
        });

    std::vector<Prediction> predictions = {{"shipped", calibrate::predict(samples_of(rows), {}, {})}};
    print(rows, predictions.back());
    if (settings.fit || settings.write) {
        const auto values = calibrate::fit(samples_of(rows), parameters, {.own_spread = true});
        clock.lap("fitted");
        const Prediction fitted{"fitted", calibrate::predict(samples_of(rows), parameters, values)};
        print(rows, fitted);
        print_constants(parameters, values);
        if (settings.write) write_constants(settings.presets, parameters, values, rows);
    }
    if (validates) {
        predictions.push_back(
            cross_validated("families left out", rows, all, &Row::family, settings.folds, parameters));
        clock.lap("cross-validated by family");
        print(rows, predictions.back());
        if (settings.write || settings.write_errors)
            write_accuracy(settings.presets, rows, predictions.back(), memory.errors);
        predictions.push_back(cross_validated("whole models left out", rows, all, &Row::whole_model,
                                              settings.folds, parameters));
        clock.lap("cross-validated by model");
        print(rows, predictions.back());
    }
    if (!settings.out.empty()) write_reports(settings.out, all, rows, predictions, memory.text);
    if (settings.bounds.empty()) return 0;
    Figures figures = figures_of(rows, predictions);
    for (const auto& [fit, sets] : memory.figures)
        for (const auto& [set, kinds] : sets) figures[fit][set] = kinds;
    return broken_bounds(settings.bounds, figures);
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Holds predictions against published runs");
    Settings settings;
    app.add_option("--presets", settings.presets, "folder of presets");
    app.add_option("--priors", settings.priors, "priors of the constants that may be fitted");
    app.add_option("--out", settings.out, "folder for accuracy.md, rows.csv, predicted-measured.svg");
    app.add_option("--bounds", settings.bounds, "fail when a figure is worse than in this file");
    app.add_option("--dump", settings.dump, "CSV of every memory figure");
    app.add_flag("--memory", settings.memory, "peaks and verdicts instead of step times");
    app.add_flag("--fit", settings.fit, "fit on all rows and print the constants");
    app.add_flag("--cross-validate", settings.cross_validate, "fit on folds and predict the rest");
    app.add_flag("--write", settings.write,
                 "put the fitted constants and cross-validated errors into the presets");
    app.add_flag("--write-errors", settings.write_errors,
                 "put cross-validated errors into the presets, whose constants stay");
    app.add_flag("--no-sweep", settings.no_sweep, "without the playbook's sweep");
    app.add_option("--folds", settings.folds, "number of folds")->check(CLI::Range(2, 20));
    app.add_option("--stacks", settings.stacks,
                   "only these stacks' runs, with the GPUs' constants as shipped")
        ->delimiter(',');
    CLI11_PARSE(app, argc, argv);
    try {
        return run(settings) == 0 ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
}
