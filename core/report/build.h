// SPDX-License-Identifier: GPL-3.0-or-later
// Inside of the report room: the steps of evaluate(), generic over the number type.
#pragma once

#include "cost/step_costs.h"
#include "model/counts.h"
#include "report/evaluate.h"

namespace shardlens {

inline constexpr double kGiB = 1073741824.0;

/// The pipeline as simulated for a plan, with what the makespan is made of.
struct PipelineRun {
    std::shared_ptr<const pipeline::Timeline> timeline; ///< null when it could not be simulated
    double simulated_micro_batches = 0; ///< fewer than the plan's when the steady state was cut short
    /// Ops of each kind on the critical path for the plan's number of micro-batches, by stage in model order.
    struct Counts {
        double forward = 0, backward = 0, input_grad = 0, weight_grad = 0, overlapped = 0;
    };
    std::vector<Counts> critical;
    double hops = 0;
    double makespan = 0; ///< for the plan's number of micro-batches
};

/// Simulates the plan's schedule with the chunk times. A schedule of more than about a million ops is
/// simulated for fewer micro-batches twice, one period apart, and its steady state continued. Appends a
/// message when the pipeline is too large to simulate at all. An illegal schedule falls back to 1F1B over
/// whole ranks, so that an invalid plan still gets numbers (its messages say that it is invalid).
[[nodiscard]] PipelineRun run_pipeline(const Setup& setup, const cost::StepCosts<double>& costs,
                                       bool keep_ops, std::vector<Message>& messages);

/// The order of operations that the ledger reads: the plan's, with no more micro-batches than it takes to
/// reach the steady state (the live set does not grow after that, except where a schedule holds them all).
[[nodiscard]] std::optional<pipeline::Schedule> ledger_schedule(const Setup& setup);
/// Can the ledger read the order that was simulated as well as a shorter one?
[[nodiscard]] bool serves_ledger(const Setup& setup, const pipeline::Schedule& simulated);

/// Chunk times merged to the stages of `schedule` (they differ only in the fall-back of run_pipeline).
template <class N>
[[nodiscard]] std::vector<cost::ChunkTime<N>> stage_times(const Setup& setup, const cost::StepCosts<N>& costs,
                                                          std::int64_t stages);

template <class N>
[[nodiscard]] TimeReport<N> detailed_time(const Setup& setup, const cost::StepCosts<N>& costs,
                                          const PipelineRun& run);
template <class N>
[[nodiscard]] TimeReport<N> textbook_time(const Setup& setup, const model::ParameterCounts<N>& counts);
/// tokens/s, MFU, HFU and time to train from step_s.
template <class N>
void add_rates(TimeReport<N>& time, const Setup& setup, const N& model_flops_per_token,
               const N& hardware_flops_per_gpu);

/// Totals and peak of a ledger.
template <class N>
[[nodiscard]] MemoryReport<N> summarise(const Setup& setup, std::vector<memory::StageLedger<N>> ledger);
/// Host memory that a node needs for what training offloads.
[[nodiscard]] double node_host_bytes(const Setup& setup, const MemoryReport<double>& memory);
[[nodiscard]] Verdict judge(const Setup& setup, const MemoryReport<double>& memory);
/// The message for a plan that does not fit; each fix has been evaluated and fits.
[[nodiscard]] Message memory_exceeds(const Setup& setup, const MemoryReport<double>& memory, Verdict verdict,
                                     const Catalog& catalog);
/// The ledger of either fidelity, summarised. `simulated` saves making the order a second time.
template <class N>
[[nodiscard]] MemoryReport<N> memory_report(const Setup& setup,
                                            const pipeline::Schedule* simulated = nullptr);

/// What saving and loading takes, from the ledger and the counted parameters; zero for the textbook.
template <class N>
[[nodiscard]] CheckpointReport<N> checkpoint_report(const Setup& setup, const ModelReport<N>& model,
                                                    const MemoryReport<N>& memory);
/// What of it does not fit on a device or a node that training fits on.
[[nodiscard]] std::vector<Message> checkpoint_messages(const Setup& setup, const MemoryReport<double>& memory,
                                                       const CheckpointReport<double>& checkpoint);

/// What the stack's profile says of its errors, for plans like this one.
template <class N> [[nodiscard]] ErrorBand<N> error_band(const Setup& setup);

template <class N>
[[nodiscard]] std::optional<CostReport<N>> training_cost(const Setup& setup, const TimeReport<N>& time);

/// Everything but messages about memory; `setup` must come from resolve().
template <class N>
[[nodiscard]] BasicReport<N> build_report(const std::shared_ptr<const Setup>& setup,
                                          const EvaluateOptions& options);

extern template BasicReport<double> build_report<double>(const std::shared_ptr<const Setup>&,
                                                         const EvaluateOptions&);
extern template BasicReport<Traced> build_report<Traced>(const std::shared_ptr<const Setup>&,
                                                         const EvaluateOptions&);

} // namespace shardlens
