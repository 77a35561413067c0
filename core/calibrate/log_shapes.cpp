// SPDX-License-Identifier: GPL-3.0-or-later
// Read off the statements that print the lines (public repositories as of August 2026):
//
// Megatron-LM: megatron/training/training.py, training_log ("elapsed time per iteration (ms): {:.1f} |", the
//   mean since the last line, behind a barrier, so it holds everything between two logged iterations) and
//   megatron/training/utils/common_utils.py, report_memory ("memory (MB) | … | max allocated: … | max
//   reserved: …", with MB = 1024 · 1024 bytes; once, by every rank of data rank 0). GPT-NeoX and
//   Megatron-DeepSpeed (megatron/training.py, megatron/utils.py) print the same.
// Megatron-Bridge: src/megatron/bridge/training/utils/train_utils.py, training_log ("Step Time : {:.2f}s GPU
//   utilization: …" by rank 0, beside Megatron's line by the last rank, which has more digits) and
//   report_memory ("memory (GB) | … | mem-max-allocated-gigabytes: …", GB = 1e9 bytes, five digits).
// NeMo: nemo/lightning/pytorch/callbacks/progress_printer.py ("| train_step_timing in s: {:.4}", mean since
//   the last line, one global batch per step) and the progress bars of NeMo 1 ("train_step_timing in s=4.1").
// nanotron: src/nanotron/trainer.py, train_step_logs ("time_per_iteration_ms: 1.69K", three digits;
//   "elapsed_time_per_iteration_ms" before March 2025) and src/nanotron/logging/base.py, log_memory ("Peak
//   allocated {:.2f}MiB. Peak reserved: {:.2f}MiB", by world rank 0; the peak is reset after each line).
// DeepSpeed: deepspeed/runtime/pipe/engine.py, train_batch ("iter time (s): {:0.3f}", whole iterations);
//   deepspeed/utils/timer.py, ThroughputTimer ("CurrSamplesPerSec={}", global batch over the time from
//   forward to optimizer, data loading left out; RunningAvgSamplesPerSec has the warm-up in it; GB = 1024³);
//   deepspeed/runtime/utils.py, see_memory_usage ("Max_MA … GB", GB = 1024³, Max_CA in whole GB; peaks
//   reset). Its "time (ms) | fwd: … | bwd: … | step: …" are parts of a step that overlap the rest; they are
//   not read.
// LLM Foundry (Composer): composer/callbacks/speed_monitor.py ("throughput/samples_per_sec", global and over
//   the last window of batches; "batches_per_sec" has fewer digits for steps of many seconds) and
//   memory_monitor.py ("memory/peak_allocated_mem", GB = 1e9), by the console logger.
// torchtitan: torchtitan/components/metrics.py, MetricsProcessor.log ("memory: {max_reserved_gib:5.2f}GiB(…%)
//   tps: {:,}", GiB = 1024³; tokens per second and device, "wps" in early versions; every rank prints; both
//   since the last line). log_validation prints the same behind "validate step:".
// InternEvo: internlm/train/pipeline.py, record_current_batch_training_metrics ("tgs (tokens/gpu/second)=…").
#include "calibrate/log_shapes.h"

#include <algorithm>

namespace shardlens::calibrate {
namespace {

constexpr double kMebi = 1024.0 * 1024.0, kGibi = 1024.0 * kMebi, kGiga = 1e9;

// Times before rates, whole iterations before the launcher's own stopwatch.
constexpr StepShape kSteps[] = {
    {.number = {.launcher = "Megatron-LM", .key = "elapsed time per iteration (ms)"},
     .quantity = Quantity::milliseconds,
     .step_key = "iteration",
     .batch_key = "global batch size"},
    {.number = {.launcher = "Megatron-Bridge", .key = "Step Time", .unit = "s"}},
    {.number = {.launcher = "NeMo", .key = "train_step_timing in s"},
     .step_key = "global_step",
     .batch_key = "global_batch_size"},
    {.number = {.launcher = "nanotron", .key = "time_per_iteration_ms", .letters = true},
     .quantity = Quantity::milliseconds,
     .step_key = "iteration"},
    {.number = {.launcher = "nanotron", .key = "elapsed_time_per_iteration_ms", .letters = true},
     .quantity = Quantity::milliseconds,
     .step_key = "iteration"},
    {.number = {.launcher = "DeepSpeed", .key = "iter time (s)"}, .step_key = "steps"},
    {.number = {.launcher = "LLM Foundry", .key = "throughput/samples_per_sec"},
     .quantity = Quantity::samples_per_s},
    {.number = {.launcher = "LLM Foundry", .key = "throughput/batches_per_sec"},
     .quantity = Quantity::steps_per_s},
    {.number = {.launcher = "torchtitan",
                .key = "tps",
                .marker = "memory:",
                .beside = "step:",
                .unless = "validate"},
     .quantity = Quantity::tokens_per_s_per_gpu,
     .step_key = "step"},
    {.number = {.launcher = "torchtitan",
                .key = "wps",
                .marker = "memory:",
                .beside = "step:",
                .unless = "validate"},
     .quantity = Quantity::tokens_per_s_per_gpu,
     .step_key = "step"},
    {.number = {.launcher = "InternEvo", .key = "tgs (tokens/gpu/second)"},
     .quantity = Quantity::tokens_per_s_per_gpu,
     .step_key = "step"},
    {.number = {.launcher = "DeepSpeed", .key = "CurrSamplesPerSec"},
     .quantity = Quantity::samples_per_s,
     .step_key = "global_step"},
};

constexpr MemoryShape kMemory[] = {
    {{.launcher = "Megatron-LM", .key = "max allocated", .beside = "memory (MB)"},
     LoggedPeak::allocated,
     kMebi},
    {{.launcher = "Megatron-LM", .key = "max reserved", .beside = "memory (MB)"},
     LoggedPeak::reserved,
     kMebi},
    {{.launcher = "Megatron-Bridge", .key = "mem-max-allocated-gigabytes"}, LoggedPeak::allocated, kGiga},
    {{.launcher = "Megatron-Bridge", .key = "mem-max-reserved-gigabytes"}, LoggedPeak::reserved, kGiga},
    {{.launcher = "nanotron", .key = "Peak allocated", .unit = "MiB"}, LoggedPeak::allocated, kMebi},
    {{.launcher = "nanotron", .key = "Peak reserved", .unit = "MiB"}, LoggedPeak::reserved, kMebi},
    {{.launcher = "DeepSpeed", .key = "MaxMemAllocated", .unit = "GB"}, LoggedPeak::allocated, kGibi},
    {{.launcher = "DeepSpeed", .key = "Max_MA", .unit = "GB", .marker = "Max_MA "},
     LoggedPeak::allocated,
     kGibi},
    {{.launcher = "DeepSpeed", .key = "Max_CA", .unit = "GB", .marker = "Max_CA "},
     LoggedPeak::reserved,
     kGibi},
    {{.launcher = "LLM Foundry", .key = "memory/peak_allocated_mem"}, LoggedPeak::allocated, kGiga},
    {{.launcher = "LLM Foundry", .key = "memory/peak_reserved_mem"}, LoggedPeak::reserved, kGiga},
    {{.launcher = "torchtitan",
      .key = "memory",
      .unit = "GiB",
      .marker = "memory:",
      .beside = "step:",
      .unless = "validate"},
     LoggedPeak::reserved,
     kGibi},
};

constexpr Combination kCombinations[] = {
    {"Megatron-LM", "Megatron-Bridge", "Megatron-Bridge"},
    {"Megatron-LM", "DeepSpeed", "Megatron-DeepSpeed"},
};

constexpr bool long_enough(const auto& shapes) {
    return std::ranges::all_of(
        shapes, [](const auto& shape) { return shape.number.search_text().size() >= kMarkerLength; });
}
static_assert(long_enough(kSteps) && long_enough(kMemory));

} // namespace

std::span<const StepShape> step_shapes() { return kSteps; }
std::span<const MemoryShape> memory_shapes() { return kMemory; }
std::span<const Combination> combinations() { return kCombinations; }

} // namespace shardlens::calibrate
