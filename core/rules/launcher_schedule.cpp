// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/launcher_schedule.h"

#include "plan/known_launchers.h"

namespace shardlens::rules {

namespace {

using enum ScheduleKind;

/// Interleaved where a rank has several chunks; MindSpeed adds DualPipeV.
ScheduleKind megatron_runs(const Setup& s, bool mindspeed) {
    if (mindspeed && s.schedule == dualpipe_v) return dualpipe_v;
    if (s.virtual_pipeline == 1) return one_f_one_b;
    return s.schedule == interleaved_ep ? interleaved_ep : interleaved;
}

/// The nearest of PyTorch's classes.
ScheduleKind torchtitan_runs(ScheduleKind kind) {
    switch (kind) {
    case gpipe:
    case interleaved:
    case bfs:
    case interleaved_zb:
    case zb_v:
    case dualpipe_v: return kind;
    case interleaved_ep:
    case hanayo: return interleaved;
    case v_half:
    case v_min:
    case one_f_one_b_v: return zb_v;
    case dualpipe:
    case chimera: return dualpipe_v;
    default: return one_f_one_b;
    }
}

std::optional<ScheduleKind> runs(const Setup& s, std::string_view launcher) {
    if (is_among(launcher, kMegatronFamily)) return megatron_runs(s, is_among(launcher, "mindspeed"));
    if (is_among(launcher, "torchtitan")) return torchtitan_runs(s.schedule);
    // A V needs scheduler_nodes, which only the program can give (hybrid_parallel_plugin.py).
    if (is_among(launcher, "colossalai"))
        return s.plan.parallel.virtual_pipeline > 1 ? interleaved : one_f_one_b;
    if (is_among(launcher, "nanotron sagemaker@1")) return s.schedule == gpipe ? gpipe : one_f_one_b;
    if (is_among(launcher, "deepspeed accelerate")) return one_f_one_b;
    if (is_among(launcher, "bmtrain")) return gpipe;
    return std::nullopt;
}

} // namespace

std::optional<ScheduleKind> schedule_instead(const Setup& setup, std::string_view launcher) {
    if (setup.pipeline == 1) return std::nullopt;
    const std::optional<ScheduleKind> run = runs(setup, launcher);
    return run == setup.schedule ? std::nullopt : run;
}

} // namespace shardlens::rules
