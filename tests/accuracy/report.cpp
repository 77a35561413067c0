// SPDX-License-Identifier: GPL-3.0-or-later
#include "report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>

#include "model/counts.h"
#include "json/strict_json.h"

namespace shardlens::accuracy {
namespace {

constexpr std::size_t kWorst = 20;

double error_of(const Row& row, double predicted) { return predicted / row.sample.measured_s - 1; }

std::string stack_of(const Row& row) {
    return row.sample.setup.stack.id + (row.sample.setup.moe() ? ", experts" : "") +
           (row.sweep ? ", playbook" : "");
}

double parameters_of(const Row& row) { return model::count_parameters<double>(row.sample.setup.shape).total; }

std::string layout(const Setup& s) {
    return fmt::format("{} GPUs, t{} p{}x{} c{} e{} d{}, b{} of {}, {} tokens", s.cluster.gpus, s.tensor,
                       s.pipeline, s.virtual_pipeline, s.context, s.expert, s.data,
                       s.plan.training.micro_batch_size, s.plan.training.global_batch_size,
                       s.plan.training.sequence_length);
}

void write(const std::filesystem::path& file, const std::string& text) {
    if (const Error error = write_text(file, text); !error.what.empty())
        throw std::runtime_error(error.line());
}

std::string worst_rows(const Rows& rows, const Prediction& prediction) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (!rows[i]->sweep) order.push_back(i);
    const auto badness = [&](std::size_t i) { return std::abs(error_of(*rows[i], prediction.predicted[i])); };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return badness(a) > badness(b); });
    std::string text =
        "| run | stack | node | layout | measured s | predicted s | error |\n|---|---|---|---|---|---|---|\n";
    for (std::size_t k = 0; k < std::min(kWorst, order.size()); ++k) {
        const Row& row = *rows[order[k]];
        text +=
            fmt::format("| {} | {} | {} | {} | {:.4g} | {:.4g} | {:+.1f} % |\n", row.run.id, stack_of(row),
                        row.sample.setup.cluster.node.id, layout(row.sample.setup), row.sample.measured_s,
                        prediction.predicted[order[k]], 100 * error_of(row, prediction.predicted[order[k]]));
    }
    return text;
}

std::string doubtful_rows(const std::vector<Row>& all) {
    std::string text;
    std::size_t before_fix = 0;
    for (const Row& row : all) {
        if (row.run.suspect) text += fmt::format("- {}: {}\n", row.run.id, row.run.notes);
        if (row.sweep && row.sample.measured_s > 0 && !fitted_on(row)) ++before_fix;
    }
    return text + fmt::format(
                      "- {} runs of the sweep with a pipeline were measured before a defect of the framework "
                      "was mended: reported for memory, not held against the clock.\n",
                      before_fix);
}

/// Predicted against measured on logarithmic axes, one colour and shape per stack; lines at ±10 %.
std::string scatter(const Rows& rows, const Prediction& prediction) {
    constexpr double kSize = 900, kMargin = 70, kLegend = 260;
    static constexpr std::array kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                                            "#56b4e9", "#444444", "#8c564b", "#b2182b", "#5e3c99"};
    double low = 1e300, high = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        low = std::min({low, rows[i]->sample.measured_s, prediction.predicted[i]});
        high = std::max({high, rows[i]->sample.measured_s, prediction.predicted[i]});
    }
    const double from = std::floor(std::log10(low)), to = std::ceil(std::log10(high));
    const auto place = [&](double seconds) {
        return kMargin + (std::log10(seconds) - from) / (to - from) * (kSize - 2 * kMargin);
    };
    const auto down = [&](double seconds) { return kSize - place(seconds); };
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" "
        "font-size=\"14\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        kSize + kLegend, kSize);
    for (double decade = from; decade <= to; ++decade) {
        const double at = std::pow(10, decade);
        svg +=
            fmt::format("<path d=\"M{0} {1}V{2}M{3} {4}H{5}\" stroke=\"#ddd\"/>\n<text x=\"{0}\" y=\"{6}\" "
                        "text-anchor=\"middle\">{7:g}</text><text x=\"{8}\" y=\"{4}\" "
                        "text-anchor=\"end\">{7:g}</text>\n",
                        place(at), kMargin, kSize - kMargin, kMargin, down(at), kSize - kMargin,
                        kSize - kMargin + 22, at, kMargin - 8);
    }
    const double first = std::pow(10, from), last = std::pow(10, to);
    for (const double factor : {1.0, 1.1, 1 / 1.1})
        svg += fmt::format("<path d=\"M{} {}L{} {}\" stroke=\"{}\" fill=\"none\"/>\n", place(first),
                           down(first * factor), place(last), down(last * factor),
                           factor == 1 ? "#888" : "#ccc");
    svg += fmt::format(
        "<text x=\"{0}\" y=\"{1}\" text-anchor=\"middle\">measured step time, s</text>"
        "<text transform=\"translate(22 {0}) rotate(-90)\" text-anchor=\"middle\">predicted, {2}, "
        "s</text>\n",
        kSize / 2, kSize - 14, prediction.name);
    std::map<std::string, std::size_t> stacks;
    for (const Row* row : rows) stacks.try_emplace(stack_of(*row), 0);
    std::size_t next = 0;
    for (auto& [name, index] : stacks) index = next++;
    const auto mark = [&](std::size_t index, double x, double y) {
        const char* colour = kColours[index % kColours.size()];
        switch (index / kColours.size()) {
        case 0:
            return fmt::format(
                "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\" fill-opacity=\"0.6\"/>\n", x, y,
                colour);
        case 1:
            return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"7\" height=\"7\" fill=\"{}\" "
                               "fill-opacity=\"0.6\"/>\n",
                               x - 3.5, y - 3.5, colour);
        default:
            return fmt::format("<path d=\"M{:.1f} {:.1f}l4 7h-8z\" fill=\"{}\" fill-opacity=\"0.6\"/>\n", x,
                               y - 4, colour);
        }
    };
    for (std::size_t i = 0; i < rows.size(); ++i)
        svg += mark(stacks[stack_of(*rows[i])], place(rows[i]->sample.measured_s),
                    down(prediction.predicted[i]));
    for (const auto& [name, index] : stacks) {
        const double y = kMargin + 24 * static_cast<double>(index);
        svg += mark(index, kSize + 6, y) +
               fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", kSize + 18, y + 5, name);
    }
    return svg + "</svg>\n";
}

std::string csv(const Rows& rows, const std::vector<Prediction>& predictions) {
    std::string text =
        "run,stack,experts,sweep,node,gpus,precision,hidden,layers,sequence,micro_batch,global_batch,tensor,"
        "pipeline,virtual,context,expert,data,zero,recompute,mfu,measured_s";
    for (const Prediction& p : predictions) text += "," + p.name;
    text += "\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Setup& s = rows[i]->sample.setup;
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.6g}",
                            rows[i]->run.id, s.stack.id, s.moe() ? 1 : 0, rows[i]->sweep ? 1 : 0,
                            s.cluster.node.id, s.cluster.gpus, static_cast<int>(s.plan.training.precision),
                            s.shape.hidden, s.shape.layers, s.plan.training.sequence_length,
                            s.plan.training.micro_batch_size, s.plan.training.global_batch_size, s.tensor,
                            s.pipeline, s.virtual_pipeline, s.context, s.expert, s.data, s.zero,
                            static_cast<int>(s.plan.memory.recompute), rows[i]->run.mfu.value_or(0),
                            rows[i]->sample.measured_s);
        for (const Prediction& p : predictions) text += fmt::format(",{:.6g}", p.predicted[i]);
        text += "\n";
    }
    return text;
}

std::string markdown_table(const std::vector<Set>& sets, const Rows& rows,
                           const std::vector<Prediction>& predictions) {
    std::string head = "| set | runs |", rule = "|---|---|", body;
    for (const Prediction& p : predictions) {
        head += fmt::format(" {}: median | mean | p90 |", p.name);
        rule += "---|---|---|";
    }
    for (const Set& set : sets) {
        std::string line;
        std::size_t runs = 0;
        for (const Prediction& p : predictions) {
            const Errors e = errors_of(errors_in(set, rows, p));
            runs = e.runs;
            line +=
                fmt::format(" {:.1f} % | {:.1f} % | {:.1f} % |", 100 * e.median, 100 * e.mean, 100 * e.p90);
        }
        if (runs > 0) body += fmt::format("| {} | {} |{}\n", set.name, runs, line);
    }
    return head + "\n" + rule + "\n" + body;
}

template <class Key> std::vector<Set> sets_of(const Rows& rows, const Key& key) {
    std::set<std::string> names;
    for (const Row* row : rows) names.insert(key(*row));
    std::vector<Set> sets;
    for (const auto& name : names)
        sets.push_back({name, [name, key](const Row& row) { return key(row) == name; }});
    return sets;
}

} // namespace

std::vector<double> errors_in(const Set& set, const Rows& rows, const Prediction& prediction) {
    std::vector<double> errors;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (set.holds(*rows[i])) errors.push_back(error_of(*rows[i], prediction.predicted[i]));
    return errors;
}

std::vector<Set> sets_by_stack(const Rows& rows) { return sets_of(rows, stack_of); }

std::vector<Set> sets_by_gpu(const Rows& rows) {
    return sets_of(rows, [](const Row& row) { return row.sample.setup.cluster.accelerator.id; });
}

std::vector<Set> sets_by_size() {
    static constexpr std::array kEdges = {0.0, 1e9, 5e9, 15e9, 50e9, 150e9, 500e9, 1e15};
    std::vector<Set> sets;
    for (std::size_t i = 0; i + 1 < kEdges.size(); ++i) {
        const double low = kEdges[i], high = kEdges[i + 1];
        const std::string name = high > 1e14
                                     ? fmt::format("over {:g} G parameters", low / 1e9)
                                     : fmt::format("{:g} to {:g} G parameters", low / 1e9, high / 1e9);
        sets.push_back({name, [low, high](const Row& row) {
                            const double n = parameters_of(row);
                            return n >= low && n < high;
                        }});
    }
    return sets;
}

std::string table(const std::vector<Set>& sets, const Rows& rows, const Prediction& prediction) {
    std::string text;
    for (const Set& set : sets) {
        const Errors e = errors_of(errors_in(set, rows, prediction));
        if (e.runs > 0)
            fmt::format_to(
                std::back_inserter(text),
                "  {:34} {:4} runs  median {:5.1f} %  mean {:5.1f} %  p90 {:5.1f} %  bias {:+5.1f} %\n",
                set.name, e.runs, 100 * e.median, 100 * e.mean, 100 * e.p90, 100 * e.bias);
    }
    return text;
}

void write_reports(const std::filesystem::path& directory, const std::vector<Row>& all, const Rows& rows,
                   const std::vector<Prediction>& predictions, const std::string& memory_text) {
    std::filesystem::create_directories(directory);
    std::string text = "# Predictions against published runs\n\n## Step time\n\n" +
                       markdown_table(step_sets(), rows, predictions) + "\n## By stack\n\n" +
                       markdown_table(sets_by_stack(rows), rows, predictions) + "\n## By GPU\n\n" +
                       markdown_table(sets_by_gpu(rows), rows, predictions) + "\n## By model size\n\n" +
                       markdown_table(sets_by_size(), rows, predictions);
    for (const Prediction& prediction : predictions)
        text +=
            fmt::format("\n## Worst {} rows, {}\n\n", kWorst, prediction.name) + worst_rows(rows, prediction);
    text += "\n## Rows in doubt\n\n" + doubtful_rows(all);
    if (!memory_text.empty()) text += "\n## Memory\n\n```\n" + memory_text + "```\n";
    write(directory / "accuracy.md", text);
    write(directory / "rows.csv", csv(rows, predictions));
    write(directory / "predicted-measured.svg", scatter(rows, predictions.back()));
}

} // namespace shardlens::accuracy
