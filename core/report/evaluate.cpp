// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/evaluate.h"

#include <algorithm>
#include <type_traits>

#include "report/build.h"
#include "rules/rules.h"
#include "json/strict_json.h"

namespace shardlens {
namespace {

/// True when no rule that makes a plan impossible is broken; what does not fit is valid all the same.
bool is_valid(const std::vector<Message>& messages) {
    return std::none_of(messages.begin(), messages.end(), [](const Message& m) {
        return m.severity == Severity::error && m.code != "memory-exceeds";
    });
}

template <class N> ModelReport<N> model_report(const model::ParameterCounts<N>& counts) {
    ModelReport<N> model;
    model.parameters = named(counts.total, {"parameters", "1", "counted from the architecture", Tag::exact});
    model.active_parameters =
        named(counts.active, {"active_parameters", "1", "counted from the architecture", Tag::exact});
    model.parameters_without_embeddings =
        named(counts.without_embeddings,
              {"parameters_without_embeddings", "1", "counted from the architecture", Tag::exact});
    return model;
}

} // namespace

template <class N>
BasicReport<N> build_report(const std::shared_ptr<const Setup>& shared, const EvaluateOptions& options) {
    const Setup& setup = *shared;
    BasicReport<N> report;
    report.setup = shared;
    report.messages = rules::check(setup);
    if (auto placed = placement::Placement::make(setup); placed)
        report.placement = std::make_shared<const placement::Placement>(std::move(placed).value());

    const auto counts = model::count_parameters<N>(setup.shape);
    report.model = model_report(counts);
    report.error_band = error_band<N>(setup);
    if (setup.plan.fidelity == Fidelity::textbook) {
        report.memory = memory_report<N>(setup);
        report.time = textbook_time<N>(setup, counts);
        const N model_flops =
            named(6.0 * report.model.active_parameters,
                  {"model_flops_per_token", "1", "6·N, arXiv 2001.08361, section 2.1", Tag::modelled});
        const Training& training = setup.plan.training;
        const double tokens =
            static_cast<double>(training.global_batch_size) * static_cast<double>(training.sequence_length);
        const double passes = setup.plan.memory.recompute == Recompute::full ? 4.0 / 3.0 : 1.0;
        add_rates<N>(report.time, setup, model_flops,
                     model_flops * passes * input<N>(tokens, {"tokens_per_step", "1", "plan", Tag::exact}) /
                         input<N>(static_cast<double>(setup.world()), {"gpus", "1", "plan", Tag::exact}));
    } else {
        const auto shared_costs =
            std::make_shared<const cost::StepCosts<N>>(cost::step_costs<N>(setup, report.placement.get()));
        const cost::StepCosts<N>& costs = *shared_costs;
        PipelineRun run;
        if constexpr (std::is_same_v<N, double>) {
            run = run_pipeline(setup, costs, options.timeline, report.messages);
            report.costs = shared_costs;
        } else
            run = run_pipeline(setup, cost::step_costs<double>(setup, report.placement.get()), false,
                               report.messages);
        report.memory = memory_report<N>(setup, run.timeline ? &run.timeline->schedule : nullptr);
        report.time = detailed_time<N>(setup, costs, run);
        const N model_flops =
            named(model::model_flops_per_token<N>(setup.shape,
                                                  static_cast<double>(setup.plan.training.sequence_length)),
                  {"model_flops_per_token", "1", "arXiv 2204.02311, appendix B, causal attention halved",
                   Tag::modelled});
        add_rates<N>(
            report.time, setup, model_flops,
            named(costs.hardware_flops_per_gpu,
                  {"hardware_flops_per_gpu", "FLOP", "model and recomputed FLOPs of a step", Tag::modelled}));
        report.timeline = run.timeline;
        if (options.timeline && run.timeline &&
            run.simulated_micro_batches < static_cast<double>(setup.micro_batches))
            report.messages.push_back(
                {Severity::info,
                 "timeline-shortened",
                 "training.global_batch_size",
                 "The pipeline is drawn with {0} of {1} micro-batches; step time and memory are those of all",
                 {std::to_string(static_cast<std::int64_t>(run.simulated_micro_batches)),
                  std::to_string(setup.micro_batches)},
                 {}});
        if (options.traffic && report.placement)
            report.traffic = placement::traffic(*report.placement, setup, costs.volumes);
        if (options.timeline) report.chunk_activation_bytes = memory::chunk_activation_bytes(setup);
    }
    report.checkpoint = checkpoint_report<N>(setup, report.model, report.memory);
    report.cost = training_cost<N>(setup, report.time);
    report.valid = is_valid(report.messages);
    return report;
}

template BasicReport<double> build_report<double>(const std::shared_ptr<const Setup>&,
                                                  const EvaluateOptions&);
template BasicReport<Traced> build_report<Traced>(const std::shared_ptr<const Setup>&,
                                                  const EvaluateOptions&);

Result<std::shared_ptr<const Report>> evaluate(const Plan& plan, const Catalog& catalog,
                                               const EvaluateOptions& options) {
    auto resolved = resolve(plan, catalog);
    if (!resolved) return resolved.error();
    return evaluate(std::move(resolved).value(), catalog, options);
}

std::shared_ptr<const Report> evaluate(Setup resolved, const Catalog& catalog,
                                       const EvaluateOptions& options) {
    const auto setup = std::make_shared<const Setup>(std::move(resolved));
    Report report = build_report<double>(setup, options);
    report.verdict = judge(*setup, report.memory);
    report.fits = report.verdict == Verdict::fits;
    if (!report.fits)
        report.messages.push_back(memory_exceeds(*setup, report.memory, report.verdict, catalog));
    for (Message& message : checkpoint_messages(*setup, report.memory, report.checkpoint))
        report.messages.push_back(std::move(message));
    std::stable_sort(report.messages.begin(), report.messages.end(),
                     [](const Message& a, const Message& b) { return a.severity > b.severity; });
    return std::make_shared<const Report>(std::move(report));
}

double step_seconds(const Setup& setup, const placement::Placement* placement) {
    const auto costs = cost::step_costs<double>(setup, placement);
    std::vector<Message> messages;
    return detailed_time<double>(setup, costs, run_pipeline(setup, costs, false, messages)).step_s;
}

namespace {

Result<BasicReport<Traced>> traced_report(const Plan& plan, const Catalog& catalog) {
    auto resolved = resolve(plan, catalog);
    if (!resolved) return resolved.error();
    return build_report<Traced>(std::make_shared<const Setup>(std::move(resolved).value()),
                                {.timeline = false, .traffic = false});
}

Explanation explain_at(const std::string& path, const char* unit, const Traced& number, int depth) {
    Explanation explanation = explain(number, depth);
    explanation.unit = unit;
    if (explanation.source.empty() && explanation.value == 0)
        explanation.source = "does not occur in this plan";
    if (explanation.name.empty()) explanation.name = path.substr(path.rfind('.') + 1);
    return explanation;
}

} // namespace

Result<Explanation> explain_number(const Plan& plan, const Catalog& catalog, const std::string& path,
                                   int depth) {
    const auto report = traced_report(plan, catalog);
    if (!report) return report.error();
    std::optional<Explanation> found;
    std::vector<std::string> paths;
    visit_numbers(*report, [&](const std::string& at, const char* unit, const Traced& number) {
        if (at == path) found = explain_at(at, unit, number, depth);
        paths.push_back(at);
    });
    if (found) return *std::move(found);
    const std::vector<std::string_view> known(paths.begin(), paths.end());
    const std::string near = nearest(path, known);
    return Error{path,
                 near.empty()
                     ? "the report has no such number; paths look like \"memory.stages.0.activations_bytes\""
                     : "the report has no such number; did you mean \"" + near + "\"?"};
}

Result<std::vector<std::pair<std::string, Explanation>>> explain_all(const Plan& plan, const Catalog& catalog,
                                                                     int depth) {
    const auto report = traced_report(plan, catalog);
    if (!report) return report.error();
    std::vector<std::pair<std::string, Explanation>> all;
    visit_numbers(*report, [&](const std::string& at, const char* unit, const Traced& number) {
        all.emplace_back(at, explain_at(at, unit, number, depth));
    });
    return all;
}

} // namespace shardlens
