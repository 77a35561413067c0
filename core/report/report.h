// SPDX-License-Identifier: GPL-3.0-or-later
// The one output: everything the program knows about a plan. Immutable once made; handed round as
// shared_ptr<const Report>. BasicReport<Traced> is the same report with every number explaining itself.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "catalog/setup.h"
#include "cost/step_costs.h"
#include "memory/ledger.h"
#include "pipeline/simulate.h"
#include "placement/traffic.h"
#include "plan/message.h"

namespace shardlens {

inline constexpr const char* kReportSchema = "shardlens/report/1";

enum class Verdict : std::uint8_t { fits, marginal, does_not_fit };
[[nodiscard]] const char* to_string(Verdict verdict);

template <class N> struct ModelReport {
    N parameters = 0, active_parameters = 0, parameters_without_embeddings = 0;
};

template <class N> struct MemoryReport {
    N capacity_bytes = 0, usable_bytes = 0, peak_bytes = 0, need_bytes = 0;
    N peak_stage = 0;
    std::string peak_event;
    std::vector<memory::StageLedger<N>> stages;
};

/// What saving and loading a checkpoint takes. Training's peak does not hold it: no activation lives then.
template <class N> struct CheckpointReport {
    N file_bytes = 0;        ///< the whole checkpoint
    N save_host_bytes = 0;   ///< per GPU: its part copied to the host before it is written
    N save_device_bytes = 0; ///< fullest GPU while saving
    N gather_host_bytes = 0; ///< host of rank 0 when it writes the whole weights
    N load_host_bytes = 0;   ///< a node whose every rank reads the whole weights to the host
    N load_device_bytes = 0; ///< fullest GPU when its part is read straight onto it
};

template <class N> struct TimeReport {
    N step_s = 0, forward_s = 0, backward_s = 0, recompute_s = 0, tensor_comm_s = 0, context_comm_s = 0,
      expert_comm_s = 0, pipeline_comm_s = 0, bubble_s = 0, data_comm_s = 0, optimizer_s = 0, offload_s = 0,
      other_s = 0, hidden_data_comm_s = 0, bubble_fraction = 0, tokens_per_s = 0, tokens_per_s_per_gpu = 0,
      model_flops_per_s_per_gpu = 0, mfu = 0, hfu = 0;
    std::optional<N> time_to_train_s; ///< only with training.tokens
};

/// Which runs an error band was taken from, narrowest first.
enum class ErrorScope : std::uint8_t {
    generation, ///< this stack on this GPU generation, dense or with experts as the plan
    kind,       ///< this stack on any GPU, dense or with experts as the plan
    stack,      ///< all runs of this stack
    own_run,    ///< the run that the profile was calibrated on
    none,       ///< never compared
};
template <class N> struct ErrorBand {
    N step_median = 0, step_p90 = 0, memory_median = 0, memory_p90 = 0, runs = 0;
    ErrorScope step_scope = ErrorScope::none,
               memory_scope = ErrorScope::none; ///< not part of the report's JSON
};

template <class N> struct CostReport {
    N gpu_hours = 0;
    std::optional<N> dollars, energy_kwh; ///< only when price or power is known
};

template <class N> struct BasicReport {
    bool valid = true;
    bool fits = true;
    Verdict verdict = Verdict::fits;
    std::vector<Message> messages;
    ModelReport<N> model;
    MemoryReport<N> memory;
    TimeReport<N> time;
    ErrorBand<N> error_band;
    CheckpointReport<N> checkpoint;
    std::optional<CostReport<N>> cost; ///< only with training.tokens

    // For views and exports, not part of the report's JSON.
    std::shared_ptr<const Setup> setup;
    std::shared_ptr<const placement::Placement> placement; ///< null when the degrees make no world
    std::shared_ptr<const pipeline::Timeline> timeline;   ///< null for textbook, without ops unless asked for
    std::vector<double> chunk_activation_bytes;           ///< p · v, model order; only with the timeline
    std::shared_ptr<const cost::StepCosts<double>> costs; ///< of the double report; null for textbook
    placement::Traffic traffic;
};

using Report = BasicReport<double>;

/// Where the error bands of step time and of memory come from, a sentence each.
[[nodiscard]] Message step_error_note(const Report& report);
[[nodiscard]] Message memory_error_note(const Report& report);

/// What the stack's release was taken to be, when the plan names none that the stack knows and another
/// release would change step time or memory.
[[nodiscard]] std::optional<Message> release_note(const Report& report);

/// Calls visit(path, unit, value) for every number of the report in the order of its JSON:
/// "memory.stages.0.activations_bytes", "time.step_s" …
template <class N, class Visit> void visit_numbers(const BasicReport<N>& report, Visit&& visit) {
    visit(std::string("model.parameters"), "1", report.model.parameters);
    visit(std::string("model.active_parameters"), "1", report.model.active_parameters);
    visit(std::string("model.parameters_without_embeddings"), "1",
          report.model.parameters_without_embeddings);

    const auto& memory = report.memory;
    visit(std::string("memory.capacity_bytes"), "B", memory.capacity_bytes);
    visit(std::string("memory.usable_bytes"), "B", memory.usable_bytes);
    visit(std::string("memory.peak_bytes"), "B", memory.peak_bytes);
    visit(std::string("memory.need_bytes"), "B", memory.need_bytes);
    visit(std::string("memory.peak_stage"), "1", memory.peak_stage);
    for (std::size_t i = 0; i < memory.stages.size(); ++i) {
        const auto& stage = memory.stages[i];
        const std::string at = "memory.stages." + std::to_string(i) + ".";
        visit(at + "stage", "1",
              named(N(static_cast<double>(stage.stage)), {"stage", "1", "pipeline rank", Tag::exact}));
        visit(at + "layers", "1",
              named(N(static_cast<double>(stage.layers)), {"layers_on_rank", "1", "the split", Tag::exact}));
        visit(at + "in_flight_micro_batches", "1", stage.in_flight_micro_batches);
        visit(at + "total_bytes", "B", stage.total_bytes);
        visit(at + "parameters_bytes", "B", stage.parameters_bytes);
        visit(at + "gradients_bytes", "B", stage.gradients_bytes);
        visit(at + "optimizer_bytes", "B", stage.optimizer_bytes);
        visit(at + "activations_bytes", "B", stage.activations_bytes);
        visit(at + "logits_bytes", "B", stage.logits_bytes);
        visit(at + "buffers_bytes", "B", stage.buffers_bytes);
        visit(at + "fragmentation_bytes", "B", stage.fragmentation_bytes);
        visit(at + "context_bytes", "B", stage.context_bytes);
        visit(at + "host_bytes", "B", stage.host_bytes);
    }

    const auto& time = report.time;
    visit(std::string("time.step_s"), "s", time.step_s);
    visit(std::string("time.forward_s"), "s", time.forward_s);
    visit(std::string("time.backward_s"), "s", time.backward_s);
    visit(std::string("time.recompute_s"), "s", time.recompute_s);
    visit(std::string("time.tensor_comm_s"), "s", time.tensor_comm_s);
    visit(std::string("time.context_comm_s"), "s", time.context_comm_s);
    visit(std::string("time.expert_comm_s"), "s", time.expert_comm_s);
    visit(std::string("time.pipeline_comm_s"), "s", time.pipeline_comm_s);
    visit(std::string("time.bubble_s"), "s", time.bubble_s);
    visit(std::string("time.data_comm_s"), "s", time.data_comm_s);
    visit(std::string("time.optimizer_s"), "s", time.optimizer_s);
    visit(std::string("time.offload_s"), "s", time.offload_s);
    visit(std::string("time.other_s"), "s", time.other_s);
    visit(std::string("time.hidden_data_comm_s"), "s", time.hidden_data_comm_s);
    visit(std::string("time.bubble_fraction"), "1", time.bubble_fraction);
    visit(std::string("time.tokens_per_s"), "tokens/s", time.tokens_per_s);
    visit(std::string("time.tokens_per_s_per_gpu"), "tokens/s", time.tokens_per_s_per_gpu);
    visit(std::string("time.model_flops_per_s_per_gpu"), "FLOP/s", time.model_flops_per_s_per_gpu);
    visit(std::string("time.mfu"), "1", time.mfu);
    visit(std::string("time.hfu"), "1", time.hfu);
    if (time.time_to_train_s) visit(std::string("time.time_to_train_s"), "s", *time.time_to_train_s);

    visit(std::string("error_band.step_median"), "1", report.error_band.step_median);
    visit(std::string("error_band.step_p90"), "1", report.error_band.step_p90);
    visit(std::string("error_band.memory_median"), "1", report.error_band.memory_median);
    visit(std::string("error_band.memory_p90"), "1", report.error_band.memory_p90);
    visit(std::string("error_band.runs"), "1", report.error_band.runs);

    visit(std::string("checkpoint.file_bytes"), "B", report.checkpoint.file_bytes);
    visit(std::string("checkpoint.save_host_bytes"), "B", report.checkpoint.save_host_bytes);
    visit(std::string("checkpoint.save_device_bytes"), "B", report.checkpoint.save_device_bytes);
    visit(std::string("checkpoint.gather_host_bytes"), "B", report.checkpoint.gather_host_bytes);
    visit(std::string("checkpoint.load_host_bytes"), "B", report.checkpoint.load_host_bytes);
    visit(std::string("checkpoint.load_device_bytes"), "B", report.checkpoint.load_device_bytes);

    if (report.cost) {
        visit(std::string("cost.gpu_hours"), "GPUh", report.cost->gpu_hours);
        if (report.cost->dollars) visit(std::string("cost.dollars"), "USD", *report.cost->dollars);
        if (report.cost->energy_kwh) visit(std::string("cost.energy_kwh"), "kWh", *report.cost->energy_kwh);
    }
}

[[nodiscard]] nlohmann::ordered_json report_to_json(const Report& report);
/// For a terminal or a log.
[[nodiscard]] std::string report_to_text(const Report& report);
[[nodiscard]] nlohmann::ordered_json messages_to_json(const std::vector<Message>& messages);
/// "error parallel.tensor: 28 attention heads … (tensor-heads); fix: parallel.tensor = 4", one line each.
[[nodiscard]] std::string messages_to_text(const std::vector<Message>& messages);

} // namespace shardlens
