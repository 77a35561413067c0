// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibrate/nearby.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <regex>

#include "calibrate/peaks.h"
#include "model/counts.h"
#include "report/evaluate.h"

namespace shardlens::calibrate {
namespace {

constexpr double kStackWeight = 4, kRelativeWeight = 1, kGenerationWeight = 3, kAcceleratorWeight = 1,
                 kExpertsWeight = 4, kRecomputeWeight = 0.5;
// Per doubling.
constexpr double kSizeWeight = 1, kGpusWeight = 0.25, kSequenceWeight = 0.5, kDegreeWeight = 0.5,
                 kDataWeight = 0.25, kMicroBatchWeight = 0.25;
constexpr double kZeroWeight = 0.25;   ///< per level
constexpr double kWidthWeight = 1;     ///< per halving of the number format
constexpr double kFormatWeight = 0.25; ///< another format of the same width

double doublings(double a, double b) { return a > 0 && b > 0 ? std::abs(std::log2(a / b)) : a == b ? 0 : 1; }
double doublings(std::int64_t a, std::int64_t b) {
    return doublings(static_cast<double>(a), static_cast<double>(b));
}

double width_bits(Precision precision) {
    switch (precision) {
    case Precision::fp32: return 32;
    case Precision::fp16:
    case Precision::bf16: return 16;
    case Precision::fp8:
    case Precision::mxfp8: return 8;
    case Precision::nvfp4: return 4;
    }
    return 16;
}

double stack_distance(const Traits& a, const Traits& b) {
    if (a.stack == b.stack) return 0;
    return a.stack_relative == b.stack || b.stack_relative == a.stack ? kRelativeWeight : kStackWeight;
}

double precision_distance(Precision a, Precision b) {
    if (a == b) return 0;
    const double halvings = doublings(width_bits(a), width_bits(b));
    return halvings > 0 ? kWidthWeight * halvings : kFormatWeight;
}

/// Is there a figure that a prediction can be held against?
bool has_step(const PublishedRun& run, std::int64_t pipeline) {
    return run.step_s && (run.after_pipeline_fix || pipeline == 1);
}
bool has_memory(const PublishedRun& run) { return run.peak_bytes || run.reserved_bytes; }

void compare(NearbyRun& near, const Report& report) {
    const PublishedRun& run = *near.run;
    if (has_step(run, report.setup->pipeline)) near.step_s = Comparison{report.time.step_s, *run.step_s};
    if (!has_memory(run)) return;
    const Peaks peaks = peaks_of(report);
    near.memory_kind = run.peak_bytes ? run.peak_kind : PeakKind::reserved;
    const double predicted = near.memory_kind == PeakKind::allocated  ? peaks.allocated
                             : near.memory_kind == PeakKind::reserved ? peaks.reserved
                                                                      : peaks.device;
    near.memory = Comparison{predicted, run.peak_bytes ? *run.peak_bytes : *run.reserved_bytes};
}

std::vector<Trait> ordered(const std::array<double, kTraits>& parts) {
    std::vector<Trait> traits;
    for (std::size_t i = 0; i < kTraits; ++i)
        if (parts[i] > 0) traits.push_back(static_cast<Trait>(i));
    std::stable_sort(traits.begin(), traits.end(), [&](Trait a, Trait b) {
        return parts[static_cast<std::size_t>(a)] > parts[static_cast<std::size_t>(b)];
    });
    return traits;
}

} // namespace

const char* to_string(Trait trait) {
    switch (trait) {
    case Trait::stack: return "stack";
    case Trait::generation: return "GPU generation";
    case Trait::accelerator: return "accelerator";
    case Trait::experts: return "dense or experts";
    case Trait::model_size: return "model size";
    case Trait::gpus: return "GPUs";
    case Trait::sequence_length: return "sequence length";
    case Trait::precision: return "precision";
    case Trait::tensor: return "tensor";
    case Trait::pipeline: return "pipeline";
    case Trait::context: return "context";
    case Trait::expert: return "expert";
    case Trait::data: return "data";
    case Trait::zero: return "ZeRO";
    case Trait::recompute: return "recomputation";
    case Trait::micro_batch: return "micro-batch";
    }
    return "";
}

Traits traits_of(const Setup& setup) {
    const auto counts = model::count_parameters<double>(setup.shape);
    Traits traits;
    traits.stack = setup.stack.id;
    traits.stack_relative = setup.stack.relative;
    traits.architecture = setup.architecture.id;
    traits.accelerator = setup.cluster.accelerator.id;
    traits.experts = setup.moe();
    traits.parameters = counts.total;
    traits.active_parameters = counts.active;
    traits.gpus = setup.world();
    traits.sequence_length = setup.plan.training.sequence_length;
    traits.micro_batch = setup.plan.training.micro_batch_size;
    traits.precision = setup.plan.training.precision;
    traits.tensor = setup.tensor;
    traits.pipeline = setup.pipeline;
    traits.context = setup.context;
    traits.expert = setup.expert;
    traits.data = setup.data;
    traits.zero = setup.zero;
    traits.recompute = setup.plan.memory.recompute;
    return traits;
}

std::array<double, kTraits> distances(const Traits& a, const Traits& b) {
    std::array<double, kTraits> parts{};
    const auto part = [&parts](Trait trait) -> double& { return parts[static_cast<std::size_t>(trait)]; };
    part(Trait::stack) = stack_distance(a, b);
    if (a.architecture != b.architecture)
        part(Trait::generation) = kGenerationWeight;
    else if (a.accelerator != b.accelerator)
        part(Trait::accelerator) = kAcceleratorWeight;
    if (a.experts != b.experts) part(Trait::experts) = kExpertsWeight;
    // Compute follows the active parameters, memory all of them.
    part(Trait::model_size) =
        kSizeWeight * 0.5 *
        (doublings(a.parameters, b.parameters) + doublings(a.active_parameters, b.active_parameters));
    part(Trait::gpus) = kGpusWeight * doublings(a.gpus, b.gpus);
    part(Trait::sequence_length) = kSequenceWeight * doublings(a.sequence_length, b.sequence_length);
    part(Trait::precision) = precision_distance(a.precision, b.precision);
    part(Trait::tensor) = kDegreeWeight * doublings(a.tensor, b.tensor);
    part(Trait::pipeline) = kDegreeWeight * doublings(a.pipeline, b.pipeline);
    part(Trait::context) = kDegreeWeight * doublings(a.context, b.context);
    part(Trait::expert) = kDegreeWeight * doublings(a.expert, b.expert);
    part(Trait::data) = kDataWeight * doublings(a.data, b.data);
    part(Trait::zero) = kZeroWeight * static_cast<double>(std::abs(a.zero - b.zero));
    if (a.recompute != b.recompute) part(Trait::recompute) = kRecomputeWeight;
    part(Trait::micro_batch) = kMicroBatchWeight * doublings(a.micro_batch, b.micro_batch);
    return parts;
}

double distance(const Traits& a, const Traits& b) {
    const auto parts = distances(a, b);
    return std::accumulate(parts.begin(), parts.end(), 0.0);
}

Result<PublishedIndex> PublishedIndex::make(std::vector<PublishedRun> runs, const Catalog& catalog) {
    PublishedIndex index;
    for (PublishedRun& run : runs) {
        const auto setup = resolve(run.plan, catalog);
        if (!setup) return Error{run.id, setup.error().line()};
        if (!has_step(run, setup->pipeline) && !has_memory(run)) continue;
        Traits traits = traits_of(*setup);
        index.m_runs.push_back({std::make_shared<const PublishedRun>(std::move(run)), std::move(traits)});
    }
    return index;
}

Result<PublishedIndex> PublishedIndex::load(const Catalog& catalog) {
    auto runs = published_runs(catalog);
    if (!runs) return runs.error();
    return make(std::move(runs).value(), catalog);
}

std::vector<NearbyRun> PublishedIndex::nearest(const Setup& setup, std::size_t count,
                                               const Catalog& catalog) const {
    const Traits wanted = traits_of(setup);
    std::vector<std::pair<double, std::size_t>> order;
    order.reserve(m_runs.size());
    for (std::size_t i = 0; i < m_runs.size(); ++i) order.emplace_back(distance(wanted, m_runs[i].traits), i);
    count = std::min(count, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end());

    std::vector<NearbyRun> found;
    for (std::size_t i = 0; i < count; ++i) {
        const Entry& entry = m_runs[order[i].second];
        const auto report = evaluate(entry.run->plan, catalog, {.timeline = false, .traffic = false});
        if (!report) continue; // resolved when the index was made
        NearbyRun near;
        near.run = entry.run;
        near.distance = order[i].first;
        near.differences = ordered(distances(wanted, entry.traits));
        near.setup = (*report)->setup;
        compare(near, **report);
        found.push_back(std::move(near));
    }
    return found;
}

std::string source_address(const std::string& source) {
    std::smatch match;
    static const std::regex kWeb(R"(https?://[^\s)\],;]+)");
    if (std::regex_search(source, match, kWeb)) return match.str();
    // owner/name:path@revision, as most runs name their file.
    static const std::regex kFile(R"(^([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+):([^\s@<>]+)@([A-Za-z0-9_.-]+))");
    if (std::regex_search(source, match, kFile))
        return "https://github.com/" + match[1].str() + "/blob/" + match[3].str() + "/" + match[2].str();
    static const std::regex kPaper(R"(arXiv[: ]([0-9]{4}\.[0-9]{4,5}))");
    if (std::regex_search(source, match, kPaper)) return "https://arxiv.org/abs/" + match[1].str();
    return {};
}

} // namespace shardlens::calibrate
