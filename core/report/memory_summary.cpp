// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "plan/edit.h"
#include "plan/fields.h"
#include "report/build.h"
#include "rules/rules.h"

namespace shardlens {
namespace {

std::string gib(double bytes) { return fmt::format("{:.1f}", bytes / kGiB); }

bool host_holds(const Setup& setup, const MemoryReport<double>& memory) {
    const Node& node = setup.cluster.node;
    return node.host_memory_bytes <= 0 || node_host_bytes(setup, memory) <= node.host_memory_bytes;
}

using Edits = std::vector<std::pair<std::string, FieldValue>>;

/// Edits that usually save memory, cheapest in speed first, more GPUs last. Whether one is legal and fits is
/// tried, not assumed; edits that change nothing are dropped.
std::vector<Edits> candidates(const Setup& setup) {
    constexpr std::int64_t kMostStages = 64, kMostTimesGpus = 64;
    const Plan& plan = setup.plan;
    const std::int64_t domain = setup.cluster.node.scale_up_domain;
    const bool sharable = setup.data * setup.context > 1;
    std::vector<Edits> result;
    const auto add = [&](const Edits& edits) {
        Edits kept;
        for (const auto& [path, value] : edits)
            if (get_field(plan, path) != value) kept.emplace_back(path, value);
        if (!kept.empty() && std::find(result.begin(), result.end(), kept) == result.end())
            result.push_back(std::move(kept));
    };
    const auto integer = [](std::int64_t n) { return FieldValue(n); };
    const std::pair<std::string, FieldValue> full{"memory.recompute", std::string("full")};
    const std::pair<std::string, FieldValue> offload{"memory.offload_optimizer", std::string("cpu")};
    // A layout on k times the GPUs; data stays what the world leaves.
    const auto layout = [&](std::int64_t t, std::int64_t p, std::int64_t c, std::int64_t gpus,
                            bool recompute) {
        if (gpus % (t * p * c) != 0) return;
        const std::int64_t data = gpus / (t * p * c);
        const std::int64_t zero = p > 1 ? 1 : 3; // more than 1 with a pipeline is what many launchers refuse
        Edits edits{{"parallel.tensor", integer(t)},   {"parallel.sequence", t > 1 || plan.parallel.sequence},
                    {"parallel.pipeline", integer(p)}, {"parallel.context", integer(c)},
                    {"parallel.data", integer(data)},  {"cluster.gpus", integer(gpus)}};
        if (data * c > 1) edits.emplace_back("parallel.zero", integer(std::max(zero, setup.zero)));
        if (recompute) edits.push_back(full);
        add(edits);
    };

    if (setup.tensor > 1) add({{"parallel.sequence", true}});
    for (std::int64_t zero = setup.zero + 1; zero <= 3 && sharable; ++zero)
        if (zero < 2 || setup.pipeline == 1) add({{"parallel.zero", integer(zero)}});
    add({{"training.micro_batch_size", integer(1)}});
    add({{"training.attention", std::string("flash")}});
    for (std::int64_t t = setup.tensor * 2; t <= domain; t *= 2)
        layout(t, setup.pipeline, setup.context, setup.world(), false);
    add({full});
    for (std::int64_t zero = 1; zero <= 3 && sharable; zero += 2)
        if (zero > setup.zero && (zero < 2 || setup.pipeline == 1))
            add({full, {"parallel.zero", integer(zero)}});
    for (std::int64_t p = setup.pipeline * 2; p <= kMostStages; p *= 2)
        layout(setup.tensor, p, setup.context, setup.world(), false);
    for (std::int64_t c = setup.context * 2; c <= 16; c *= 2)
        layout(setup.tensor, setup.pipeline, c, setup.world(), false);
    for (std::int64_t t = setup.tensor; t <= domain; t *= 2)
        for (std::int64_t p = setup.pipeline; p <= kMostStages; p *= 2)
            layout(t, p, setup.context, setup.world(), true);
    add({offload});
    add({offload, full});
    add({offload, full, {"training.micro_batch_size", integer(1)}});
    // More GPUs: first as more of the same replicas to share the state with, then as larger replicas.
    for (std::int64_t k = 2; k <= kMostTimesGpus; k *= 2) {
        const std::int64_t gpus = setup.world() * k;
        layout(setup.tensor, setup.pipeline, setup.context, gpus, false);
        layout(setup.tensor, setup.pipeline, setup.context, gpus, true);
        for (std::int64_t t = setup.tensor; t <= domain; t *= 2)
            if (k % (t / setup.tensor) == 0)
                layout(t, setup.pipeline * (k / (t / setup.tensor)), setup.context, gpus, true);
    }
    return result;
}

} // namespace

double node_host_bytes(const Setup& setup, const MemoryReport<double>& memory) {
    double most = 0;
    for (const auto& stage : memory.stages) most = std::max(most, stage.host_bytes);
    return most * static_cast<double>(setup.cluster.node.gpus_per_node);
}

const char* to_string(Verdict verdict) {
    switch (verdict) {
    case Verdict::fits: return "fits";
    case Verdict::marginal: return "marginal";
    case Verdict::does_not_fit: return "does_not_fit";
    }
    return "";
}

template <class N> MemoryReport<N> summarise(const Setup& setup, std::vector<memory::StageLedger<N>> ledger) {
    MemoryReport<N> memory;
    memory.capacity_bytes = input<N>(setup.cluster.capacity_bytes,
                                     {"capacity_bytes", "B", "accelerator preset or plan", Tag::measured});
    memory.usable_bytes =
        named(floor_of(memory.capacity_bytes * input<N>(setup.plan.memory.usable_fraction,
                                                        {"usable_fraction", "1", "plan", Tag::assumed})),
              {"usable_bytes", "B", "usable share of the capacity", Tag::modelled});
    std::size_t peak = 0, need = 0;
    for (std::size_t i = 0; i < ledger.size(); ++i) {
        const auto needed = [&](std::size_t k) {
            return value_of(ledger[k].total_bytes) - value_of(ledger[k].fragmentation_bytes);
        };
        if (ledger[i].total_bytes > ledger[peak].total_bytes) peak = i;
        if (needed(i) > needed(need)) need = i;
    }
    if (!ledger.empty()) {
        memory.peak_bytes =
            named(ledger[peak].total_bytes, {"peak_bytes", "B", "largest total of a stage", Tag::modelled},
                  static_cast<int>(peak));
        memory.need_bytes =
            named(ledger[need].total_bytes - ledger[need].fragmentation_bytes,
                  {"need_bytes", "B", "the allocator returns cached blocks before it fails", Tag::modelled},
                  static_cast<int>(need));
        memory.peak_event = ledger[peak].peak_event;
    }
    memory.peak_stage = input<N>(static_cast<double>(peak),
                                 {"peak_stage", "1", "stage with the largest total", Tag::modelled});
    memory.stages = std::move(ledger);
    return memory;
}

template MemoryReport<double> summarise(const Setup&, std::vector<memory::StageLedger<double>>);
template MemoryReport<Traced> summarise(const Setup&, std::vector<memory::StageLedger<Traced>>);

template <class N> MemoryReport<N> memory_report(const Setup& setup, const pipeline::Schedule* simulated) {
    if (setup.plan.fidelity == Fidelity::textbook) return summarise(setup, memory::textbook_ledger<N>(setup));
    if (simulated && serves_ledger(setup, *simulated))
        return summarise(setup, memory::detailed_ledger<N>(setup, simulated));
    const auto schedule = ledger_schedule(setup);
    return summarise(setup, memory::detailed_ledger<N>(setup, schedule ? &*schedule : nullptr));
}

template MemoryReport<double> memory_report(const Setup&, const pipeline::Schedule*);
template MemoryReport<Traced> memory_report(const Setup&, const pipeline::Schedule*);

Verdict judge(const Setup& setup, const MemoryReport<double>& memory) {
    if (memory.need_bytes > memory.capacity_bytes || !host_holds(setup, memory)) return Verdict::does_not_fit;
    return memory.need_bytes > memory.usable_bytes ? Verdict::marginal : Verdict::fits;
}

Message memory_exceeds(const Setup& setup, const MemoryReport<double>& memory, Verdict verdict,
                       const Catalog& catalog) {
    Message message;
    message.code = "memory-exceeds";
    message.path = "memory.usable_fraction";
    message.severity = verdict == Verdict::marginal ? Severity::warning : Severity::error;
    if (!host_holds(setup, memory) && memory.need_bytes <= memory.usable_bytes) {
        message.path = "memory.offload_optimizer";
        message.text_template = "A node needs {0} GiB of host memory for what is offloaded and has {1} GiB";
        message.arguments = {gib(node_host_bytes(setup, memory)), gib(setup.cluster.node.host_memory_bytes)};
    } else {
        message.text_template = verdict == Verdict::marginal
                                    ? "Stage {0} needs {1} GiB, more than the {2} GiB set as usable but less "
                                      "than the card's {3} GiB"
                                    : "Stage {0} needs {1} GiB; {2} of {3} GiB are usable";
        message.arguments = {fmt::format("{:.0f}", memory.peak_stage), gib(memory.need_bytes),
                             gib(memory.usable_bytes), gib(memory.capacity_bytes)};
    }
    constexpr std::size_t kMostFixes = 3;
    for (const Edits& edits : candidates(setup)) {
        if (message.fixes.size() == kMostFixes) break;
        Plan plan = setup.plan;
        Fix fix{edits};
        if (!apply_fix(plan, fix).what.empty()) continue;
        const auto other = resolve(plan, catalog);
        if (!other) continue;
        const auto found = rules::check(*other);
        if (std::any_of(found.begin(), found.end(),
                        [](const Message& m) { return m.severity == Severity::error; }))
            continue;
        if (judge(*other, memory_report<double>(*other)) == Verdict::fits)
            message.fixes.push_back(std::move(fix));
    }
    return message;
}

} // namespace shardlens
