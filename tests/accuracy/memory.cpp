// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <map>

#include "report/build.h"

namespace shardlens::accuracy {
namespace {

/// What a figure counts.
enum class Quantity : std::uint8_t { peak, reserved, optimizer_step };

/// One printed figure of one run.
struct Point {
    const Row* row;
    Quantity quantity;
    double measured;
    int fold = 0;
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
                   point.quantity == Quantity::reserved ? calibrate::PeakKind::reserved : point.row->run.peak_kind);
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
        std::string mesh = setup.tensor == 1 ? "t = 1" : setup.pipeline == 1 ? "t > 1, p = 1" : "t > 1, p > 1";
        if (!row.run.after_pipeline_fix && setup.pipeline > 1) mesh += ", before the fix";
        return {"playbook, reserved", "playbook, reserved, " + mesh};
    }
    return {" rows with a peak", row.sample.setup.stack.id + source_of(point)};
}

void print_errors(const std::vector<Point>& points, const std::vector<double>& predicted) {
    std::map<std::string, std::vector<double>> sets;
    for (std::size_t i = 0; i < points.size(); ++i)
        for (const auto& set : sets_of(points[i])) sets[set].push_back(predicted[i] / points[i].measured - 1);
    for (const auto& [name, errors] : sets) {
        const Errors e = errors_of(errors);
        fmt::print("  {:50} {:4} runs  median {:5.2f} %  mean {:5.1f} %  p90 {:5.1f} %  bias {:+5.1f} %\n", name, e.runs,
                   100 * e.median, 100 * e.mean, 100 * e.p90, 100 * e.bias);
    }
}

void print_worst(const std::vector<Point>& points, const std::vector<double>& predicted) {
    constexpr std::size_t kWorst = 20;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (points[i].quantity == Quantity::peak) order.push_back(i);
    const auto off = [&](std::size_t i) { return std::abs(predicted[i] / points[i].measured - 1); };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return off(a) > off(b); });
    fmt::print("  worst:\n");
    for (std::size_t k = 0; k < std::min(kWorst, order.size()); ++k) {
        const Point& point = points[order[k]];
        fmt::print("    {:20} {:22} {:6.2f} GiB measured, {:6.2f} predicted, {:+5.1f} %\n", point.row->run.id,
                   point.row->sample.setup.stack.id, point.measured / kGiB, predicted[order[k]] / kGiB,
                   100 * (predicted[order[k]] / point.measured - 1));
    }
}

/// Need of a run over what its device holds.
double need_of(const Setup& setup) { return memory_report<double>(setup).need_bytes / setup.cluster.capacity_bytes; }

struct Verdicts {
    int died_right = 0, ran_right = 0, false_alarms = 0, missed = 0;
    void add(bool died, double need) {
        const bool predicted = need > 1;
        ++(died ? (predicted ? died_right : missed) : (predicted ? false_alarms : ran_right));
    }
    void print(const char* name) const {
        const int all = died_right + ran_right + false_alarms + missed;
        const auto share = [](int part, int whole) { return whole > 0 ? 100.0 * part / whole : 0.0; };
        fmt::print("  {:50} {:4} runs  accuracy {:5.2f} %  precision {:5.1f} %  recall {:5.1f} %  ({} false alarms, {} missed)\n",
                   name, all, share(died_right + ran_right, all), share(died_right, died_right + false_alarms),
                   share(died_right, died_right + missed), false_alarms, missed);
    }
};

void print_verdicts(const std::vector<const Row*>& sweep, const std::vector<double>& needs) {
    constexpr double kNear = 0.1;
    Verdicts all, near;
    for (std::size_t i = 0; i < sweep.size(); ++i) {
        const bool died = *sweep[i]->run.out_of_memory;
        all.add(died, needs[i]);
        if (std::abs(needs[i] - 1) <= kNear) near.add(died, needs[i]);
    }
    all.print("playbook, does it die");
    near.print("playbook, within 10 % of the limit");
}

/// Runs that finished are evidence too: none may be said not to fit.
void print_survivors(const std::vector<Row>& rows) {
    std::map<std::string, std::pair<int, int>> stacks;
    std::vector<std::string> lines;
    for (const Row& row : rows) {
        if (row.sweep) continue;
        const double need = need_of(row.sample.setup);
        auto& [runs, refused] = stacks[row.sample.setup.stack.id];
        ++runs;
        if (need <= 1) continue;
        ++refused;
        lines.push_back(fmt::format("    {:20} {:20} needs {:6.1f} of {:6.1f} GiB", row.run.id, row.sample.setup.stack.id,
                                    need * row.sample.setup.cluster.capacity_bytes / kGiB,
                                    row.sample.setup.cluster.capacity_bytes / kGiB));
    }
    int all = 0, wrong = 0;
    for (const auto& [stack, counts] : stacks) {
        all += counts.first;
        wrong += counts.second;
        if (counts.second > 0) fmt::print("    {:20} {} of {}\n", stack, counts.second, counts.first);
    }
    for (const auto& line : lines) fmt::print("{}\n", line);
    fmt::print("  ran, but said to need more than the device has: {} of {}\n", wrong, all);
}

void dump_points(const std::string& path, const std::vector<Row>& rows) {
    FILE* file = std::fopen(path.c_str(), "w");
    if (!file) return;
    fmt::print(file, "id,stack,sweep,node,gpus,hidden,layers,heads,vocab,seq,mbs,m,t,sp,p,v,c,d,e,zero,recompute,fix,"
                     "capacity,died,peak,kind,reserved,optimizer,stage,stage_layers,in_flight,parameters,gradients,states,"
                     "activations,logits,buffers,fragmentation,context,total,step,event\n");
    for (const Row& row : rows) {
        const Setup& s = row.sample.setup;
        const auto report = memory_report<double>(s);
        for (const auto& stage : report.stages)
            fmt::print(file,
                       "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.0f},{},{:.0f},{},{:.0f},{:.0f},{},{},"
                       "{},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f},{}\n",
                       row.run.id, s.stack.id, row.sweep ? 1 : 0, s.cluster.node.id, s.cluster.gpus, s.shape.hidden,
                       s.shape.layers, s.shape.heads, s.shape.vocab, s.plan.training.sequence_length,
                       s.plan.training.micro_batch_size, s.micro_batches, s.tensor, s.sequence ? 1 : 0, s.pipeline,
                       s.virtual_pipeline, s.context, s.data, s.expert, s.zero,
                       static_cast<int>(s.plan.memory.recompute), row.run.after_pipeline_fix ? 1 : 0,
                       s.cluster.capacity_bytes, row.run.out_of_memory.value_or(false) ? 1 : 0,
                       row.run.peak_bytes.value_or(0), static_cast<int>(row.run.peak_kind),
                       row.run.reserved_bytes.value_or(0), row.run.optimizer_peak_bytes.value_or(0), stage.stage,
                       stage.layers, stage.in_flight_micro_batches, stage.parameters_bytes, stage.gradients_bytes,
                       stage.optimizer_bytes, stage.activations_bytes, stage.logits_bytes, stage.buffers_bytes,
                       stage.fragmentation_bytes, stage.context_bytes, stage.total_bytes,
                       memory::optimizer_step_bytes(s, stage.stage), stage.peak_event);
    }
    std::fclose(file);
}

} // namespace

void print_memory(const std::vector<Row>& rows, const MemoryRun& options) {
    const auto points = points_of(rows);
    std::vector<double> predicted;
    for (const Point& point : points) predicted.push_back(predict(point, point.row->sample.setup));
    fmt::print("Memory with the shipped constants\n");
    print_errors(points, predicted);
    print_worst(points, predicted);
    std::vector<const Row*> sweep;
    std::vector<double> needs;
    for (const Row& row : rows)
        if (row.run.out_of_memory) {
            sweep.push_back(&row);
            needs.push_back(need_of(row.sample.setup));
        }
    print_verdicts(sweep, needs);
    print_survivors(rows);
    if (!options.dump.empty()) dump_points(options.dump, rows);
}

} // namespace shardlens::accuracy
