// SPDX-License-Identifier: GPL-3.0-or-later
// Closed forms that lessons compute with. Those that the program itself has (ring_all_reduce_bytes,
// parameter_server_bytes, harmonic) are called where they are.
#pragma once

#include <cstdint>

#include "sync/sgd.h"

namespace shardlens::lessons {

/// Share of the slots that a stage waits, (p − 1) / (m + p − 1), for GPipe and 1F1B (arXiv 1811.06965,
/// 2104.04473).
[[nodiscard]] double bubble(double stages, double micro_batches);
/// FLOPs of training: 2N forward and 4N backward per token, 6ND in all (arXiv 2001.08361, section 2.1).
[[nodiscard]] double train_flops(double parameters, double tokens);
/// Bytes of parameters, gradients and Adam's states of `psi` parameters in mixed precision, 2 + 2 + 12 each,
/// over `d` ranks by ZeRO stage (arXiv 1910.02054, section 5).
[[nodiscard]] double states_bytes(double psi, double zero, double d);
/// Best time between checkpoints that take `checkpoint_s` at a mean time between failures of `mtbf_s`: √(2CM)
/// (Young 1974).
[[nodiscard]] double young(double checkpoint_s, double mtbf_s);
/// √(2CM) · (1 + ⅓ √(C/2M) + (C/2M)/9) − C for C < 2M, else M (Daly 2006, equation 37).
[[nodiscard]] double daly(double checkpoint_s, double mtbf_s);
/// Expected seconds per update: the closed form where it is exact, else the mean of a simulation of 60,000
/// updates that is the same every time. NaN for a specification that sync::check refuses.
[[nodiscard]] double sgd_time(const sync::Spec& spec);
/// Loss |w|²/2 after `time_s` seconds, mean of the runs of sync::LossSetting, the same every time. Infinite
/// where the step is too large for the staleness; NaN for a specification that sync::check refuses.
[[nodiscard]] double sgd_error(const sync::Spec& spec, double time_s);

} // namespace shardlens::lessons
