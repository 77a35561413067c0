// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <utility>

#include "report/build.h"

namespace shardlens::accuracy {
namespace {

constexpr const char* kShipped = "shipped";
constexpr const char* kCrossValidated = "families left out";

/// What a figure counts.
enum class Quantity : std::uint8_t { peak, reserved, optimizer_step };

/// One printed figure of one run.
struct Point {
    const Row* row;
    Quantity quantity;
    double measured;
};

double framework_bytes(const memory::StageLedger<double>& stage, calibrate::PeakKind kind) {
    switch (kind) {
    case calibrate::PeakKind::device: return stage.total_bytes;
    case calibrate::PeakKind::reserved: return stage.total_bytes - stage.context_bytes;
    case calibrate::PeakKind::allocated: break;
    }
    return stage.total_bytes - stage.context_bytes - stage.fragmentation_bytes;
}

/// Logs of a single rank say so in their notes; the first pipeline rank writes them.
bool of_first_rank(const Row& row) {
    return row.sweep || row.run.notes.find("rank 0") != std::string::npos ||
           row.sample.setup.stack.id == "nanotron";
}

double largest(const Row& row, const MemoryReport<double>& report, calibrate::PeakKind kind) {
    double most = 0;
    for (const auto& stage : report.stages) {
        most = std::max(most, framework_bytes(stage, kind));
        if (of_first_rank(row)) break;
    }
    return most;
}

double predict(const Point& point, const Setup& setup) {
    if (point.quantity == Quantity::optimizer_step) return memory::optimizer_step_bytes(setup, 0);
    const auto report = memory_report<double>(setup);
    return largest(*point.row, report,
                   point.quantity == Quantity::reserved ? calibrate::PeakKind::reserved
                                                        : point.row->run.peak_kind);
}

std::vector<Point> points_of(const std::vector<Row>& rows) {
    std::vector<Point> points;
    for (const Row& row : rows) {
        if (row.run.peak_bytes) points.push_back({&row, Quantity::peak, *row.run.peak_bytes});
        if (row.sweep && row.run.reserved_bytes)
            points.push_back({&row, Quantity::reserved, *row.run.reserved_bytes});
        if (row.run.optimizer_peak_bytes)
            points.push_back({&row, Quantity::optimizer_step, *row.run.optimizer_peak_bytes});
    }
    return points;
}

std::string source_of(const Point& point) {
    const Row& row = *point.row;
    if (row.sweep) return "";
    return " " + row.run.id.substr(0, row.run.id.rfind('-'));
}

/// The sets whose errors are printed, by name.
std::vector<std::string> sets_of(const Point& point) {
    const Row& row = *point.row;
    if (point.quantity == Quantity::optimizer_step) return {"playbook, allocated at the optimizer step"};
    if (point.quantity == Quantity::reserved) {
        const Setup& setup = row.sample.setup;
        std::string mesh = setup.tensor == 1     ? "t = 1"
                           : setup.pipeline == 1 ? "t > 1, p = 1"
                                                 : "t > 1, p > 1";
        if (!row.run.after_pipeline_fix && setup.pipeline > 1) mesh += ", before the fix";
        return {"playbook, reserved", "playbook, reserved, " + mesh};
    }
    return {"peak memory", row.sample.setup.stack.id + source_of(point)};
}

void print_errors(MemoryFigures& out, const std::string& fit, const std::vector<Point>& points,
                  const std::vector<double>& predicted) {
    std::map<std::string, std::vector<double>> sets;
    for (std::size_t i = 0; i < points.size(); ++i)
        for (const auto& set : sets_of(points[i])) sets[set].push_back(predicted[i] / points[i].measured - 1);
    for (const auto& [name, errors] : sets) {
        const Errors e = errors_of(errors);
        out.figures[fit][name] = {{"median", e.median}, {"mean", e.mean}, {"p90", e.p90}};
        fmt::format_to(
            std::back_inserter(out.text),
            "  {:50} {:4} runs  median {:5.2f} %  mean {:5.1f} %  p90 {:5.1f} %  bias {:+5.1f} %\n", name,
            e.runs, 100 * e.median, 100 * e.mean, 100 * e.p90, 100 * e.bias);
    }
}

void print_worst(MemoryFigures& out, const std::vector<Point>& points, const std::vector<double>& predicted) {
    constexpr std::size_t kWorst = 20;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (points[i].quantity == Quantity::peak) order.push_back(i);
    const auto off = [&](std::size_t i) { return std::abs(predicted[i] / points[i].measured - 1); };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return off(a) > off(b); });
    fmt::format_to(std::back_inserter(out.text), "  worst:\n");
    for (std::size_t k = 0; k < std::min(kWorst, order.size()); ++k) {
        const Point& point = points[order[k]];
        fmt::format_to(std::back_inserter(out.text),
                       "    {:20} {:22} {:6.2f} GiB measured, {:6.2f} predicted, {:+5.1f} %\n",
                       point.row->run.id, point.row->sample.setup.stack.id, point.measured / kGiB,
                       predicted[order[k]] / kGiB, 100 * (predicted[order[k]] / point.measured - 1));
    }
}

/// Need of a run over what its device holds.
double need_of(const Setup& setup) {
    return memory_report<double>(setup).need_bytes / setup.cluster.capacity_bytes;
}

struct Verdicts {
    int died_right = 0, ran_right = 0, false_alarms = 0, missed = 0;
    void add(bool died, double need) {
        const bool predicted = need > 1;
        ++(died ? (predicted ? died_right : missed) : (predicted ? false_alarms : ran_right));
    }
    void print(MemoryFigures& out, const std::string& fit, const std::string& name) const {
        const int all = died_right + ran_right + false_alarms + missed;
        out.figures[fit][name] = {{"wrong", static_cast<double>(false_alarms + missed) / std::max(all, 1)}};
        const auto share = [](int part, int whole) { return whole > 0 ? 100.0 * part / whole : 0.0; };
        fmt::format_to(
            std::back_inserter(out.text),
            "  {:50} {:4} runs  accuracy {:5.2f} %  precision {:5.1f} %  recall {:5.1f} %  ({} false "
            "alarms, {} missed)\n",
            name, all, share(died_right + ran_right, all), share(died_right, died_right + false_alarms),
            share(died_right, died_right + missed), false_alarms, missed);
    }
};

void print_verdicts(MemoryFigures& out, const std::string& fit, const std::vector<const Row*>& sweep,
                    const std::vector<double>& needs) {
    constexpr double kNear = 0.1;
    Verdicts all, near;
    for (std::size_t i = 0; i < sweep.size(); ++i) {
        const bool died = *sweep[i]->run.out_of_memory;
        all.add(died, needs[i]);
        if (std::abs(needs[i] - 1) <= kNear) near.add(died, needs[i]);
    }
    all.print(out, fit, "playbook, does it die");
    near.print(out, fit, "playbook, within 10 % of the limit");
}

/// Runs that finished are evidence too: none may be said not to fit.
void print_survivors(MemoryFigures& out, const std::vector<Row>& rows) {
    std::map<std::string, std::pair<int, int>> stacks;
    std::vector<std::string> lines;
    for (const Row& row : rows) {
        if (row.sweep) continue;
        const double need = need_of(row.sample.setup);
        auto& [runs, refused] = stacks[row.sample.setup.stack.id];
        ++runs;
        if (need <= 1) continue;
        ++refused;
        lines.push_back(fmt::format("    {:20} {:20} needs {:6.1f} of {:6.1f} GiB", row.run.id,
                                    row.sample.setup.stack.id,
                                    need * row.sample.setup.cluster.capacity_bytes / kGiB,
                                    row.sample.setup.cluster.capacity_bytes / kGiB));
    }
    int all = 0, wrong = 0;
    for (const auto& [stack, counts] : stacks) {
        all += counts.first;
        wrong += counts.second;
        if (counts.second > 0)
            fmt::format_to(std::back_inserter(out.text), "    {:20} {} of {}\n", stack, counts.second,
                           counts.first);
    }
    out.figures[kShipped]["ran, but said not to fit"] = {{"runs", static_cast<double>(wrong)}};
    for (const auto& line : lines) fmt::format_to(std::back_inserter(out.text), "{}\n", line);
    fmt::format_to(std::back_inserter(out.text),
                   "  ran, but said to need more than the device has: {} of {}\n", wrong, all);
}

/// A fitted constant of the ledger: what formulas and sources do not give.
struct Constant {
    const char* stack;
    const char* key;
};
constexpr Constant kFitted[] = {
    {"nanotron", "growth_tensor_bytes"},  {"nanotron", "growth_pipeline"},
    {"megatron-deepspeed", "base_bytes"}, {"megatron-deepspeed", "fragmentation_factor"},
    {"megatron-lm-2023", "base_bytes"},   {"megatron-core", "base_bytes"},
    {"megatron-bridge", "base_bytes"},    {"torchtitan", "base_bytes"},
    {"torchtitan-compile", "base_bytes"}, {"deepspeed", "base_bytes"},
};
/// Outside the allocator on the sweep's cards; fitted on deaths alone.
constexpr Constant kLimit = {"nanotron", "runtime_bytes"};

using Values = std::map<std::pair<std::string, std::string>, double>;

/// The setup with `values` in place of the profile's `shipped` ones; what its release sets otherwise stays.
Setup with(const Setup& setup, const Values& shipped, const Values& values) {
    Setup changed = setup;
    for (const auto& [constant, value] : values) {
        if (constant.first != setup.stack.id) continue;
        double& current = *number_field(changed.stack, constant.second).value;
        if (current == shipped.at(constant)) current = value;
    }
    return changed;
}

std::vector<double> predict_all(const std::vector<Point>& points, const Values& shipped,
                                const Values& values) {
    std::vector<double> predicted;
    for (const Point& point : points)
        predicted.push_back(predict(point, with(point.row->sample.setup, shipped, values)));
    return predicted;
}

/// Robust loss of relative errors; a family of similar runs counts as its root.
double loss_of(const std::vector<Point>& points, const std::vector<double>& predicted) {
    constexpr double kScale = 0.02;
    std::map<std::string, double> families;
    for (const Point& point : points) ++families[point.row->family];
    double loss = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double off = std::log(predicted[i] / points[i].measured) / kScale;
        loss += (std::sqrt(1 + off * off) - 1) / std::sqrt(families[points[i].row->family]);
    }
    return loss;
}

/// Coordinate search on the logarithms of the stack's constants, from the shipped values.
void fit_stack(const std::string& stack, const std::vector<Point>& all, const Values& shipped,
               Values& values) {
    std::vector<Point> points;
    for (const Point& point : all)
        if (point.row->sample.setup.stack.id == stack && point.quantity != Quantity::optimizer_step)
            points.push_back(point);
    if (points.empty()) return;
    double best = loss_of(points, predict_all(points, shipped, values));
    for (double step : {2.0, 1.3, 1.1, 1.03})
        for (const Constant& constant : kFitted) {
            if (constant.stack != stack) continue;
            for (const double factor : {step, 1 / step}) {
                for (int moves = 0; moves < 4; ++moves) {
                    Values tried = values;
                    tried[{constant.stack, constant.key}] *= factor;
                    const double loss = loss_of(points, predict_all(points, shipped, tried));
                    if (loss >= best) break;
                    best = loss;
                    values = std::move(tried);
                }
            }
        }
}

Values shipped_values(const std::vector<Row>& rows) {
    Values values;
    for (const Row& row : rows)
        for (const Constant& constant : kFitted)
            if (row.sample.setup.stack.id == constant.stack && row.run.plan.stack_version.empty()) {
                StackProfile stack = row.sample.setup.stack;
                values[{constant.stack, constant.key}] = *number_field(stack, constant.key).value;
            }
    return values;
}

/// Bytes by which the limit of the sweep moves: fewest wrong verdicts, a run near the limit counting by its
/// odds. Far misses count once and do not pull (a logistic loss would let a handful of them move the limit).
double fit_limit(const std::vector<const Row*>& sweep, const std::vector<double>& needs) {
    constexpr double kSoftness = 1.0 * kGiB, kStep = kGiB / 8, kReach = 5 * kGiB;
    double best = 0, least = 1e300;
    for (double shift = -kReach; shift <= kReach; shift += kStep) {
        double loss = 0;
        for (std::size_t i = 0; i < sweep.size(); ++i) {
            const double beyond =
                ((needs[i] - 1) * sweep[i]->sample.setup.cluster.capacity_bytes + shift) / kSoftness;
            const double wrong = *sweep[i]->run.out_of_memory ? -beyond : beyond;
            loss += 1 / (1 + std::exp(-wrong));
        }
        if (loss < least) {
            least = loss;
            best = shift;
        }
    }
    return best;
}

template <class T>
std::vector<T> chosen(const std::vector<T>& all, const std::vector<int>& fold, int k, bool in) {
    std::vector<T> some;
    for (std::size_t i = 0; i < all.size(); ++i)
        if ((fold[i] == k) == in) some.push_back(all[i]);
    return some;
}

void cross_validate(MemoryFigures& out, const std::vector<Row>& rows, const std::vector<Point>& points,
                    const std::vector<const Row*>& sweep, const std::vector<double>& needs, int folds) {
    const auto folds_of_rows = deal_folds(rows, &Row::family, folds);
    const auto fold_of = [&](const Row* row) {
        return folds_of_rows[static_cast<std::size_t>(row - rows.data())];
    };
    std::vector<int> point_fold, sweep_fold;
    for (const Point& point : points) point_fold.push_back(fold_of(point.row));
    for (const Row* row : sweep) sweep_fold.push_back(fold_of(row));
    const Values shipped = shipped_values(rows);
    std::vector<double> predicted(points.size()), moved = needs;
    for (int k = 0; k < folds; ++k) {
        Values values = shipped;
        const auto train = chosen(points, point_fold, k, false);
        std::vector<std::string> stacks;
        for (const Constant& constant : kFitted)
            if (stacks.empty() || stacks.back() != constant.stack) stacks.emplace_back(constant.stack);
        for (const auto& stack : stacks) fit_stack(stack, train, shipped, values);
        const double shift =
            fit_limit(chosen(sweep, sweep_fold, k, false), chosen(needs, sweep_fold, k, false));
        fmt::format_to(std::back_inserter(out.text), "  fold {}: {} {:+.2f} GiB", k, kLimit.key,
                       shift / kGiB);
        for (const auto& [constant, value] : values)
            fmt::format_to(std::back_inserter(out.text), ", {} {} {:.3g}", constant.first, constant.second,
                           value > 1e6 ? value / kGiB : value);
        fmt::format_to(std::back_inserter(out.text), "\n");
        for (std::size_t i = 0; i < points.size(); ++i)
            if (point_fold[i] == k)
                predicted[i] = predict(points[i], with(points[i].row->sample.setup, shipped, values));
        for (std::size_t i = 0; i < sweep.size(); ++i)
            if (sweep_fold[i] == k) moved[i] += shift / sweep[i]->sample.setup.cluster.capacity_bytes;
    }
    fmt::format_to(std::back_inserter(out.text), "Memory cross-validated, families left out\n");
    print_errors(out, kCrossValidated, points, predicted);
    print_verdicts(out, kCrossValidated, sweep, moved);
}

void dump_points(const std::string& path, const std::vector<Row>& rows) {
    FILE* file = std::fopen(path.c_str(), "w");
    if (!file) return;
    fmt::print(
        file,
        "id,stack,sweep,node,gpus,hidden,layers,heads,vocab,seq,mbs,m,t,sp,p,v,c,d,e,zero,recompute,fix,"
        "capacity,died,peak,kind,reserved,optimizer,stage,stage_layers,in_flight,parameters,gradients,states,"
        "activations,logits,buffers,fragmentation,context,total,step,event\n");
    for (const Row& row : rows) {
        const Setup& s = row.sample.setup;
        const auto report = memory_report<double>(s);
        for (const auto& stage : report.stages)
            fmt::print(file,
                       "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.0f},{},{:.0f},{}"
                       ",{:.0f},{:.0f},{},{},"
                       "{},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f},{}\n",
                       row.run.id, s.stack.id, row.sweep ? 1 : 0, s.cluster.node.id, s.cluster.gpus,
                       s.shape.hidden, s.shape.layers, s.shape.heads, s.shape.vocab,
                       s.plan.training.sequence_length, s.plan.training.micro_batch_size, s.micro_batches,
                       s.tensor, s.sequence ? 1 : 0, s.pipeline, s.virtual_pipeline, s.context, s.data,
                       s.expert, s.zero, static_cast<int>(s.plan.memory.recompute),
                       row.run.after_pipeline_fix ? 1 : 0, s.cluster.capacity_bytes,
                       row.run.out_of_memory.value_or(false) ? 1 : 0, row.run.peak_bytes.value_or(0),
                       static_cast<int>(row.run.peak_kind), row.run.reserved_bytes.value_or(0),
                       row.run.optimizer_peak_bytes.value_or(0), stage.stage, stage.layers,
                       stage.in_flight_micro_batches, stage.parameters_bytes, stage.gradients_bytes,
                       stage.optimizer_bytes, stage.activations_bytes, stage.logits_bytes,
                       stage.buffers_bytes, stage.fragmentation_bytes, stage.context_bytes, stage.total_bytes,
                       memory::optimizer_step_bytes(s, stage.stage), stage.peak_event);
    }
    std::fclose(file);
}

} // namespace

MemoryFigures memory_figures(const std::vector<Row>& rows, const MemoryRun& options) {
    MemoryFigures out;
    const auto points = points_of(rows);
    std::vector<double> predicted;
    for (const Point& point : points) predicted.push_back(predict(point, point.row->sample.setup));
    out.text = "Memory with the shipped constants\n";
    print_errors(out, kShipped, points, predicted);
    print_worst(out, points, predicted);
    std::vector<const Row*> sweep;
    std::vector<double> needs;
    for (const Row& row : rows)
        if (row.run.out_of_memory) {
            sweep.push_back(&row);
            needs.push_back(need_of(row.sample.setup));
        }
    print_verdicts(out, kShipped, sweep, needs);
    print_survivors(out, rows);
    for (std::size_t i = 0; i < points.size(); ++i)
        if (points[i].quantity == Quantity::peak || points[i].quantity == Quantity::reserved)
            out.errors[points[i].row->sample.setup.stack.id].push_back(predicted[i] / points[i].measured - 1);
    if (options.cross_validate) cross_validate(out, rows, points, sweep, needs, options.folds);
    if (!options.dump.empty()) dump_points(options.dump, rows);
    return out;
}

} // namespace shardlens::accuracy
