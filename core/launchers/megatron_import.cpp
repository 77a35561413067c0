// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/megatron_import.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "launchers/import_keys.h"
#include "json/strict_json.h"
#include "json/text.h"

namespace shardlens::launchers {

namespace {

/// Beginnings of flags that change no memory, time or shape: rates, logging, data, checkpoints, seeds,
/// tokens.
constexpr std::array kIrrelevant = {"--lr",
                                    "--min-lr",
                                    "--weight-decay",
                                    "--adam-",
                                    "--sgd-",
                                    "--muon-",
                                    "--clip-grad",
                                    "--init-method",
                                    "--seed",
                                    "--log-",
                                    "--no-log",
                                    "--tensorboard",
                                    "--wandb",
                                    "--save",
                                    "--load",
                                    "--no-load",
                                    "--no-save",
                                    "--data-",
                                    "--train-data",
                                    "--valid-data",
                                    "--test-data",
                                    "--mock-data",
                                    "--split",
                                    "--tokenizer",
                                    "--vocab-file",
                                    "--merge-file",
                                    "--num-workers",
                                    "--eval-",
                                    "--exit-",
                                    "--timing",
                                    "--distributed-",
                                    "--dist-ckpt",
                                    "--ckpt-",
                                    "--use-checkpoint",
                                    "--override-opt",
                                    "--use-dist-ckpt",
                                    "--async-save",
                                    "--no-create-attention",
                                    "--reset-",
                                    "--eod-",
                                    "--hidden-dropout",
                                    "--attention-dropout",
                                    "--norm-epsilon",
                                    "--layernorm-epsilon",
                                    "--rotary-",
                                    "--use-rope-scaling",
                                    "--rope-",
                                    "--no-rope-fusion",
                                    "--use-rotary",
                                    "--initial-loss-scale",
                                    "--loss-scale",
                                    "--min-loss",
                                    "--hysteresis",
                                    "--train-iters",
                                    "--moe-aux-loss",
                                    "--moe-z-loss",
                                    "--moe-router-load-balancing",
                                    "--moe-router-bias",
                                    "--moe-router-dtype",
                                    "--moe-router-pre-softmax",
                                    "--moe-router-score",
                                    "--moe-router-topk-",
                                    "--moe-router-group",
                                    "--moe-router-num-groups",
                                    "--moe-token-dispatcher",
                                    "--moe-grouped-gemm",
                                    "--moe-permute-fusion",
                                    "--moe-pad-",
                                    "--transformer-impl",
                                    "--use-mcore",
                                    "--no-masked-softmax",
                                    "--no-bias-",
                                    "--no-gradient-accumulation",
                                    "--no-check-for-nan",
                                    "--check-",
                                    "--enable-one-logger",
                                    "--no-one-logger",
                                    "--one-logger",
                                    "--local-rank",
                                    "--dataloader-",
                                    "--no-mmap",
                                    "--num-dataset",
                                    "--finetune",
                                    "--recompute-method",
                                    "--cross-entropy-",
                                    "--calculate-per-token",
                                    "--manual-gc",
                                    "--profile",
                                    "--use-pytorch-profiler",
                                    "--deterministic",
                                    "--apply-query-key",
                                    "--apply-layernorm",
                                    "--apply-residual",
                                    "--accumulate-allreduce",
                                    "--end-weight-decay",
                                    "--start-weight-decay",
                                    "--no-async",
                                    "--retro-",
                                    "--mid-level",
                                    "--spec",
                                    "--ddp-",
                                    "--fp8-amax",
                                    "--fp8-margin",
                                    "--fp8-interval",
                                    "--no-fp8",
                                    "--nccl-",
                                    "--high-priority",
                                    "--attention-softmax",
                                    "--no-query-key",
                                    "--mscale",
                                    "--original-max",
                                    "--beta-",
                                    "--norm-",
                                    "--legacy-tokenizer",
                                    "--rerun-",
                                    "--error-",
                                    "--result-",
                                    "--inprocess",
                                    "--te-rng",
                                    "--export-",
                                    "--logging-",
                                    "--report-theoretical",
                                    "--barrier",
                                    "--sample-rate",
                                    "--mask-",
                                    "--short-seq",
                                    "--query-in-block",
                                    "--use-one-sent",
                                    "--patch-",
                                    "--num-classes",
                                    "--img-",
                                    "--trust-remote",
                                    "--create-attention",
                                    "--tiktoken",
                                    "--object-storage",
                                    "--replication",
                                    "--config-logger",
                                    "--dump-"};

} // namespace

void MegatronFlags::add(std::string name, std::vector<std::string> values) {
    if (name.find('_') != std::string::npos) {
        m_plan.warn(name, "", "Megatron-LM knows flags with hyphens only and refuses this spelling");
        std::replace(name.begin(), name.end(), '_', '-');
    }
    if (m_flags.contains(name))
        m_plan.warn(name, fmt::format("{}", fmt::join(values, " ")), "given twice, the last one counts");
    m_open.erase(name);
    m_flags.insert_or_assign(std::move(name), std::move(values));
}

void MegatronFlags::add_open(std::string name, std::string shown) {
    std::replace(name.begin(), name.end(), '_', '-');
    m_flags.insert_or_assign(name, std::vector<std::string>{});
    m_open.insert_or_assign(std::move(name), std::move(shown));
}

void MegatronFlags::add_unread(const std::string& word) {
    if (m_unread.empty())
        m_unread = word;
    else if (!m_unread.ends_with("…"))
        m_unread += m_unread.find(", ") == std::string::npos ? ", " + word : ", …";
}

bool MegatronFlags::on(const std::string& name) {
    m_read.insert(name);
    return has(name);
}

std::string MegatronFlags::shown(const std::string& name) const {
    if (const auto open = m_open.find(name); open != m_open.end()) return open->second;
    const auto found = m_flags.find(name);
    return found == m_flags.end() ? "" : fmt::format("{}", fmt::join(found->second, " "));
}

std::optional<std::string> MegatronFlags::text(const std::string& name) {
    m_read.insert(name);
    const auto found = m_flags.find(name);
    if (found == m_flags.end() || is_open(name)) return std::nullopt;
    if (found->second.size() == 1) return found->second[0];
    m_plan.not_understood(name, shown(name), "{0} is right", {"one value"});
    return std::nullopt;
}

std::optional<double> MegatronFlags::number(const std::string& name) {
    const auto value = text(name);
    if (!value) return std::nullopt;
    const auto read = number_from_text(*value);
    if (!read) m_plan.not_understood(name, *value, "{0} is right", {"a number"});
    return read;
}

std::optional<std::int64_t> MegatronFlags::integer(const std::string& name) {
    const auto read = number(name);
    if (!read) return std::nullopt;
    if (*read == static_cast<double>(static_cast<std::int64_t>(std::clamp(*read, -9e15, 9e15))))
        return static_cast<std::int64_t>(*read);
    m_plan.not_understood(name, shown(name), "{0} is right", {"a whole number"});
    return std::nullopt;
}

std::vector<std::string> MegatronFlags::list(const std::string& name) {
    m_read.insert(name);
    const auto found = m_flags.find(name);
    return found == m_flags.end() ? std::vector<std::string>{} : found->second;
}

bool MegatronFlags::take(const std::string& name, std::string_view path, const FieldValue& value,
                         std::string_view text, Imported::Arguments arguments) {
    m_read.insert(name);
    return m_plan.read(path, value, name, shown(name), text, std::move(arguments));
}

bool MegatronFlags::take_integer(const std::string& name, std::string_view path) {
    const auto value = integer(name);
    return value && take(name, path, *value);
}

bool MegatronFlags::take_on(const std::string& name, std::string_view path) {
    return on(name) && take(name, path, true);
}

void MegatronFlags::outside(const std::string& name, std::string_view reason) {
    m_read.insert(name);
    if (has(name)) m_plan.not_understood(name, shown(name), reason);
}

void MegatronFlags::assume(std::string_view path, const FieldValue& value, std::string_view text,
                           Imported::Arguments arguments) {
    if (has_unread())
        needs(path);
    else
        m_plan.assume(path, value, text, std::move(arguments));
}

void MegatronFlags::needs(std::string_view path) {
    if (has_unread() && !m_plan.has_note(ImportNote::Kind::missing, path))
        m_plan.needs(path, "may stand in {0}, which is not known from this file alone", {m_unread});
}

std::size_t MegatronFlags::known() const {
    return static_cast<std::size_t>(
        std::count_if(m_flags.begin(), m_flags.end(), [&](const auto& flag) { return knows(flag.first); }));
}

void MegatronFlags::finish() {
    const std::vector<std::string_view> asked(m_read.begin(), m_read.end());
    for (const auto& [name, values] : m_flags) {
        const bool relevant = std::none_of(kIrrelevant.begin(), kIrrelevant.end(),
                                           [&](const char* prefix) { return name.starts_with(prefix); });
        if (m_open.contains(name) && relevant)
            m_plan.not_understood(name, m_open.at(name),
                                  "not known from this file alone: a variable that is not set "
                                  "in it, or the output of a command");
        if (m_open.contains(name) || m_read.contains(name) || !relevant) continue;
        const std::string near = nearest(name, asked);
        if (near.empty() || m_flags.contains(near))
            m_plan.not_understood(name, shown(name), "no place in a plan");
        else
            m_plan.not_understood(name, shown(name), "no place in a plan; did you mean {0}?", {near});
    }
}

void read_megatron_flags(MegatronFlags& flags, int release) {
    read_megatron_parallel(flags, release);
    read_megatron_model(flags, release);
    read_megatron_training(flags, release);
    for (const char* path : {"model.layers", "model.hidden", "model.heads", "training.sequence_length",
                             "training.micro_batch_size", "training.global_batch_size"})
        flags.needs(path);
    if (!flags.has("--num-experts")) flags.needs("model.ffn_hidden");
    flags.finish();
}

} // namespace shardlens::launchers
