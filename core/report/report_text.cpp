// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <iterator>

#include "plan/fields.h"
#include "report/build.h"
#include "rules/host_order.h"
#include "json/text.h"

namespace shardlens {
namespace {

std::string duration(double seconds) {
    if (seconds >= 2 * 365.25 * 86400) return fmt::format("{:.1f} years", seconds / (365.25 * 86400));
    if (seconds >= 2 * 86400) return fmt::format("{:.1f} days", seconds / 86400);
    if (seconds >= 2 * 3600) return fmt::format("{:.1f} h", seconds / 3600);
    if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
    if (seconds >= 1e-3) return fmt::format("{:.2f} ms", seconds * 1e3);
    return fmt::format("{:.1f} us", seconds * 1e6);
}

/// " ± 2.4 % (p90 6.9 %)" behind a figure; nothing where there is no such band.
std::string band(ErrorScope scope, double median, double p90) {
    if (scope == ErrorScope::none) return {};
    return fmt::format(" ± {:.1f} % (p90 {:.1f} %)", 100 * median, 100 * p90);
}

/// The value that a fix sets. The names of a cluster, up to thousands of them, are only counted.
std::string fix_value(const FieldValue& value) {
    if (std::holds_alternative<std::monostate>(value)) return "null";
    const auto* names = std::get_if<std::vector<std::string>>(&value);
    if (names && names->size() > 1 && rules::in_order(*names))
        return fmt::format("{} names sorted by number", names->size());
    return to_text(value);
}

} // namespace

std::string messages_to_text(const std::vector<Message>& messages) {
    std::string text;
    for (const Message& message : messages) {
        std::string line =
            fmt::format("{} {}: {} ({})", to_string(message.severity),
                        message.path.empty() ? "plan" : message.path, message.text(), message.code);
        for (std::size_t i = 0; i < message.fixes.size(); ++i) {
            line += i == 0 ? "; fix: " : " or ";
            bool first = true;
            for (const auto& [path, value] : message.fixes[i].set) {
                line += fmt::format("{}{} = {}", first ? "" : ", ", path, fix_value(value));
                first = false;
            }
        }
        text += one_line(line, line.size()) + "\n";
    }
    return text;
}

std::string report_to_text(const Report& report) {
    std::string out;
    auto to = std::back_inserter(out);
    const Setup& setup = *report.setup;
    const auto& memory = report.memory;
    const auto& time = report.time;
    if (!setup.plan.name.empty()) fmt::format_to(to, "{}\n", setup.plan.name);
    fmt::format_to(to, "{} GPUs: tensor {} x pipeline {} x context {} x data {}, ZeRO {}, stack {}\n",
                   setup.world(), setup.tensor, setup.pipeline, setup.context, setup.data, setup.zero,
                   setup.stack.id);
    fmt::format_to(to,
                   "{}: needs {:.1f} GiB of {:.1f} GiB usable ({:.1f} GiB card), peak on stage {:.0f}{}{}\n",
                   report.verdict == Verdict::fits       ? "fits"
                   : report.verdict == Verdict::marginal ? "marginal"
                                                         : "does not fit",
                   memory.need_bytes / kGiB, memory.usable_bytes / kGiB, memory.capacity_bytes / kGiB,
                   memory.peak_stage, memory.peak_event.empty() ? "" : ", ", memory.peak_event);
    const auto& error = report.error_band;
    fmt::format_to(to, "peak {:.1f} GiB{}; {}\n", memory.peak_bytes / kGiB,
                   band(error.memory_scope, error.memory_median, error.memory_p90),
                   memory_error_note(report).text());
    out += messages_to_text(report.messages);

    fmt::format_to(to, "\nmemory, GiB    {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}\n", "params",
                   "grads", "optim", "activ", "logits", "buffers", "fragm", "context", "total");
    for (const auto& s : memory.stages)
        fmt::format_to(
            to,
            "  stage {:<4}   {:>7.2f}{:>8.2f}{:>8.2f}{:>8.2f}{:>8.2f}{:>8.2f}{:>8.2f}{:>8.2f}{:>8.2f}  {}\n",
            s.stage, s.parameters_bytes / kGiB, s.gradients_bytes / kGiB, s.optimizer_bytes / kGiB,
            s.activations_bytes / kGiB, s.logits_bytes / kGiB, s.buffers_bytes / kGiB,
            s.fragmentation_bytes / kGiB, s.context_bytes / kGiB, s.total_bytes / kGiB, s.peak_event);

    const auto& checkpoint = report.checkpoint;
    if (checkpoint.file_bytes > 0)
        fmt::format_to(
            to,
            "\ncheckpoint {:.1f} GiB; saving: {:.1f} GiB on a GPU, {:.1f} GiB of host memory per GPU "
            "where its part is copied first, {:.1f} GiB on rank 0's host for whole weights\n"
            "loading: {:.1f} GiB on a GPU where it is read straight onto it, {:.1f} GiB on a node "
            "whose every rank reads whole weights\n",
            checkpoint.file_bytes / kGiB, checkpoint.save_device_bytes / kGiB,
            checkpoint.save_host_bytes / kGiB, checkpoint.gather_host_bytes / kGiB,
            checkpoint.load_device_bytes / kGiB, checkpoint.load_host_bytes / kGiB);

    fmt::format_to(to, "\nstep {}{}; {}\n", duration(time.step_s),
                   band(error.step_scope, error.step_median, error.step_p90), step_error_note(report).text());
    if (const auto release = release_note(report)) fmt::format_to(to, "{}\n", release->text());
    const auto part = [&](const char* name, double seconds) {
        if (seconds > 0)
            fmt::format_to(to, "  {:<14}{:>12}{:>7.1f} %\n", name, duration(seconds),
                           100 * seconds / time.step_s);
    };
    part("forward", time.forward_s);
    part("backward", time.backward_s);
    part("recompute", time.recompute_s);
    part("tensor comm", time.tensor_comm_s);
    part("context comm", time.context_comm_s);
    part("expert comm", time.expert_comm_s);
    part("pipeline comm", time.pipeline_comm_s);
    part("bubble", time.bubble_s);
    part("data comm", time.data_comm_s);
    part("optimizer", time.optimizer_s);
    part("offload", time.offload_s);
    part("other", time.other_s);
    fmt::format_to(to,
                   "bubble {:.1f} %, MFU {:.1f} %, HFU {:.1f} %, {:.0f} tokens/s, {:.0f} tokens/s per GPU\n",
                   100 * time.bubble_fraction, 100 * time.mfu, 100 * time.hfu, time.tokens_per_s,
                   time.tokens_per_s_per_gpu);
    if (time.time_to_train_s) fmt::format_to(to, "time to train {}", duration(*time.time_to_train_s));
    if (report.cost) {
        fmt::format_to(to, ", {:.0f} GPU hours", report.cost->gpu_hours);
        if (report.cost->dollars) fmt::format_to(to, ", {:.0f} USD", *report.cost->dollars);
        if (report.cost->energy_kwh) fmt::format_to(to, ", {:.0f} kWh", *report.cost->energy_kwh);
    }
    if (time.time_to_train_s) out += '\n';
    return out;
}

} // namespace shardlens
