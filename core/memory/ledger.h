// SPDX-License-Identifier: GPL-3.0-or-later
// The memory ledger: bytes per pipeline rank, item by item, at the rank's peak.
#pragma once

#include <string>
#include <vector>

#include "catalog/setup.h"
#include "formula/traced.h"
#include "pipeline/schedule.h"

namespace shardlens::memory {

/// One pipeline rank (contract.md section 2). Every term is a whole number of bytes; total = sum without
/// host_bytes.
template <class N> struct StageLedger {
    std::int64_t stage = 0;  ///< pipeline rank; 0 holds the embedding
    std::int64_t layers = 0; ///< over all its chunks
    N in_flight_micro_batches = 0;
    N total_bytes = 0;
    N parameters_bytes = 0;
    N gradients_bytes = 0;
    N optimizer_bytes = 0;
    N activations_bytes = 0;
    N logits_bytes = 0;
    N buffers_bytes = 0;
    N fragmentation_bytes = 0;
    N context_bytes = 0;
    N host_bytes = 0;
    // For checkpoints (report.h), zero in the textbook's ledger and in no sum above.
    N saved_bytes = 0;       ///< weights, master copy and moments that the rank writes
    N save_device_bytes = 0; ///< on the device while a checkpoint is saved
    N load_device_bytes = 0; ///< on the device while one is read straight onto it
    std::string
        peak_event; ///< what sets the peak: "loss forward", "backward of the last layer", "optimizer step" …
};

/// Detailed ledger of every rank. `schedule` gives the live set (null: 1F1B counts are used).
template <class N>
[[nodiscard]] std::vector<StageLedger<N>> detailed_ledger(const Setup& setup,
                                                          const pipeline::Schedule* schedule);

/// Textbook ledger (domain.md section 2): states 2 + 2 + 12 bytes per parameter by ZeRO stage, activations
/// 34·sbh and its relatives, min(p − stage, m) in flight.
template <class N> [[nodiscard]] std::vector<StageLedger<N>> textbook_ledger(const Setup& setup);

/// What a rank holds at the optimizer step, when no activation is alive: the peak of frameworks that reset
/// their counter after the backward pass.
[[nodiscard]] double optimizer_step_bytes(const Setup& setup, std::int64_t rank);

/// Bytes per parameter of the working copy of the weights, and of all that a checkpoint holds: weights,
/// master copy and moments.
[[nodiscard]] double weight_bytes_per_parameter(const Setup& setup);
[[nodiscard]] double saved_bytes_per_parameter(const Setup& setup);

/// Bytes of activations kept per micro-batch by each chunk (p · v, model order), unrounded.
[[nodiscard]] std::vector<double> chunk_activation_bytes(const Setup& setup);

/// Of these, what one micro-batch of each local chunk of a rank keeps on the device: several entries where a
/// chunk of the schedule is several of the model, what is offloaded left out.
[[nodiscard]] std::vector<double> resident_chunk_bytes(const Setup& setup,
                                                       const std::vector<double>& chunk_bytes,
                                                       const pipeline::Schedule& schedule, std::int64_t rank);

extern template std::vector<StageLedger<double>> detailed_ledger<double>(const Setup&,
                                                                         const pipeline::Schedule*);
extern template std::vector<StageLedger<Traced>> detailed_ledger<Traced>(const Setup&,
                                                                         const pipeline::Schedule*);
extern template std::vector<StageLedger<double>> textbook_ledger<double>(const Setup&);
extern template std::vector<StageLedger<Traced>> textbook_ledger<Traced>(const Setup&);

} // namespace shardlens::memory
