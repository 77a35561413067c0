// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/batch_arithmetic.h"

#include <fmt/format.h>
#include <limits>

#include "plan/known_launchers.h"

namespace shardlens::launchers {

namespace {

std::int64_t product(std::initializer_list<std::int64_t> factors) {
    std::int64_t result = 1;
    for (const std::int64_t factor : factors)
        if (__builtin_mul_overflow(result, factor, &result)) return std::numeric_limits<std::int64_t>::max();
    return result;
}

constexpr const char* kSamples = "samples";
constexpr const char* kTokens = "tokens";
constexpr const char* kCount = "micro-batches";
constexpr const char* kRanks = "ranks";

/// Collects the rows of one launcher.
class Rows {
public:
    Rows(const Setup& setup, BatchArithmetic& out) : m_setup(setup), m_out(out) {}

    void launcher(std::string_view id, std::string_view version) {
        if (id.starts_with("megatron") || id == "mindspeed") return megatron(id == "megatron-bridge");
        if (id == "deepspeed") return deepspeed();
        if (id == "torchtitan") return version == "main" ? titan_tokens() : titan_samples();
        if (id == "nanotron") return nanotron();
        if (id == "llm-foundry") return foundry();
        if (id == "colossalai") return colossalai();
        if (id == "sagemaker" && version == "1") return sagemaker();
        if (id == "bmtrain") return bmtrain();
        // accelerate, SageMaker 2: the script's data loader.
        if (id != "contract") add("samples per rank and pass", micro(), kSamples, "");
    }

private:
    [[nodiscard]] std::int64_t micro() const { return m_setup.plan.training.micro_batch_size; }
    [[nodiscard]] std::int64_t count() const { return m_setup.micro_batches; }
    [[nodiscard]] std::int64_t global() const { return m_setup.plan.training.global_batch_size; }
    [[nodiscard]] std::int64_t sequence() const { return m_setup.plan.training.sequence_length; }

    void add(std::string name, std::int64_t value, const char* unit, std::string formula) {
        const bool given = formula.empty();
        m_out.launcher.push_back({std::move(name), value, unit, given, std::move(formula)});
    }

    void megatron(bool bridge) {
        add(bridge ? "train.micro_batch_size" : "--micro-batch-size", micro(), kSamples, "");
        add(bridge ? "train.global_batch_size" : "--global-batch-size", global(), kSamples, "");
        const std::int64_t ranks = product({m_setup.tensor, m_setup.pipeline, m_setup.context});
        const std::int64_t data = std::max<std::int64_t>(1, m_setup.world() / ranks);
        add("data_parallel_size", data, kRanks,
            fmt::format("{} / ({} · {} · {})", m_setup.world(), m_setup.tensor, m_setup.pipeline,
                        m_setup.context));
        add("num_microbatches", global() / product({micro(), data}), kCount,
            fmt::format("{} / ({} · {})", global(), micro(), data));
        m_out.launcher_global = global();
    }

    void deepspeed() {
        add("train_micro_batch_size_per_gpu", micro(), kSamples, "");
        add("gradient_accumulation_steps", count(), kCount, "");
        // With AutoTP and no grid handed in, the product is taken with every GPU.
        const bool auto_tp = m_setup.tensor > 1 && m_setup.pipeline == 1;
        const std::int64_t data = auto_tp ? m_setup.world() : m_setup.data;
        m_out.launcher_global = product({micro(), count(), data});
        add("train_batch_size", m_out.launcher_global, kSamples,
            fmt::format("{} · {} · {}", micro(), count(), data));
    }

    void titan_samples() {
        const bool piped = m_setup.pipeline > 1;
        const std::int64_t local = piped ? product({micro(), count()}) : micro();
        add("training.local_batch_size", local, kSamples,
            piped ? fmt::format("{} · {}", micro(), count()) : "");
        if (piped) add("parallelism.pipeline_parallel_microbatch_size", micro(), kSamples, "");
        add("training.global_batch_size", global(), kSamples, "");
        add("gradient_accumulation_steps",
            global() / std::max<std::int64_t>(1, product({local, m_setup.data})), "steps",
            fmt::format("{} / ({} · {})", global(), local, m_setup.data));
        m_out.launcher_global = global();
    }

    void titan_tokens() {
        add("training.num_tokens_per_microbatch_per_dp_rank", product({micro(), sequence()}), kTokens,
            fmt::format("{} · {}", micro(), sequence()));
        if (m_setup.pipeline > 1) add("parallelism.num_pp_microbatches", count(), kCount, "");
        add("training.num_tokens_per_train_step", product({global(), sequence()}), kTokens,
            fmt::format("{} · {}", global(), sequence()));
        m_out.launcher_global = global();
    }

    void nanotron() {
        add("tokens.micro_batch_size", micro(), kSamples, "");
        add("tokens.batch_accumulation_per_replica", count(), kCount, "");
        m_out.launcher_global = product({micro(), count(), m_setup.data});
        add("global_batch_size", m_out.launcher_global, kSamples,
            fmt::format("{} · {} · {}", micro(), count(), m_setup.data));
    }

    void foundry() {
        const std::int64_t device = global() / m_setup.data;
        add("global_train_batch_size", global(), kSamples, "");
        add("device_train_batch_size", device, kSamples, fmt::format("{} / {}", global(), m_setup.data));
        add("device_train_microbatch_size", std::min(micro(), std::max<std::int64_t>(1, device)), kSamples,
            fmt::format("min({}, {})", micro(), device));
        add("device_train_grad_accum", (device + micro() - 1) / micro(), kCount,
            fmt::format("ceil({} / {})", device, micro()));
        m_out.launcher_global = global();
    }

    void colossalai() {
        if (m_setup.pipeline > 1) add("microbatch_size", micro(), kSamples, "");
        const std::int64_t batch = m_setup.pipeline > 1 ? product({micro(), count()}) : micro();
        add("samples per rank and pass", batch, kSamples,
            m_setup.pipeline > 1 ? fmt::format("{} · {}", micro(), count()) : "");
    }

    void sagemaker() {
        add("microbatches", count(), kCount, "");
        add("samples per rank and pass", product({micro(), count()}), kSamples,
            fmt::format("{} · {}", micro(), count()));
    }

    void bmtrain() {
        if (m_setup.pipeline == 1) return add("samples per rank and pass", micro(), kSamples, "");
        add("num_micro_batches", count(), kCount, "");
        add("samples per rank and pass", product({micro(), count()}) / m_setup.pipeline, kSamples,
            fmt::format("{} · {} / {}", micro(), count(), m_setup.pipeline));
    }

    const Setup& m_setup;
    BatchArithmetic& m_out;
};

} // namespace

BatchArithmetic batch_arithmetic(const Setup& setup) {
    const Training& training = setup.plan.training;
    const std::int64_t global = training.global_batch_size,
                       micro = std::max<std::int64_t>(1, training.micro_batch_size);
    const std::int64_t accumulation = global / product({micro, setup.data});
    BatchArithmetic out;
    out.gpus = setup.world();
    out.global = {"training.global_batch_size", global, kSamples, true, ""};
    out.micro = {"training.micro_batch_size", training.micro_batch_size, kSamples, true, ""};
    out.accumulation = {"accumulation", accumulation, kCount, false,
                        fmt::format("{} / ({} · {})", global, micro, setup.data)};
    out.rest = global - product({micro, accumulation, setup.data});
    out.data = {"parallel.data", setup.data, kRanks, setup.plan.parallel.data.has_value(), ""};
    if (!out.data.given)
        out.data.formula =
            fmt::format("{} / ({} · {} · {})", setup.world(), setup.tensor, setup.pipeline, setup.context);
    out.world = {"world", product({setup.tensor, setup.pipeline, setup.context, setup.data}), kRanks, false,
                 fmt::format("{} · {} · {} · {}", setup.tensor, setup.pipeline, setup.context, setup.data)};
    if (setup.moe())
        out.expert_world = {"expert_world",
                            product({setup.expert_tensor, setup.expert, setup.expert_data, setup.pipeline}),
                            kRanks, false,
                            fmt::format("{} · {} · {} · {}", setup.expert_tensor, setup.expert,
                                        setup.expert_data, setup.pipeline)};
    const auto [known, version] = split_target(setup.plan.target);
    if (known) Rows(setup, out).launcher(known->id, version);
    return out;
}

Result<BatchParts> complete_batch(const BatchParts& given, std::int64_t data) {
    const auto wrong = [](std::string what) { return Error{"batch", std::move(what)}; };
    if (data < 1) return wrong("at least one data rank is needed");
    for (const auto& part : {given.global, given.micro, given.accumulation})
        if (part && *part < 1)
            return wrong(fmt::format("{} is no batch: a whole number above 0 is right", *part));
    BatchParts all = given;
    const auto quotient = [&](std::int64_t divisor, const char* name) -> Result<std::int64_t> {
        if (*given.global % divisor != 0 || *given.global < divisor)
            return wrong(fmt::format("{} samples on {} data ranks leave no whole {}: {} / {} = {:.2f}",
                                     *given.global, data, name, *given.global, divisor,
                                     static_cast<double>(*given.global) / static_cast<double>(divisor)));
        return *given.global / divisor;
    };
    if (!given.global) {
        if (!given.micro) return wrong("neither a global batch nor a micro-batch is given");
        all.accumulation = given.accumulation.value_or(1);
        all.global = product({*given.micro, *all.accumulation, data});
        return all;
    }
    if (given.micro && given.accumulation) {
        const std::int64_t made = product({*given.micro, *given.accumulation, data});
        if (made != *given.global)
            return wrong(fmt::format("a global batch of {} is given, but {} · {} · {} = {}", *given.global,
                                     *given.micro, *given.accumulation, data, made));
        return all;
    }
    if (given.micro) {
        const auto accumulation = quotient(product({*given.micro, data}), "number of accumulation steps");
        if (!accumulation) return accumulation.error();
        all.accumulation = *accumulation;
        return all;
    }
    all.accumulation = given.accumulation.value_or(1);
    const auto micro = quotient(product({*all.accumulation, data}), "micro-batch");
    if (!micro) return micro.error();
    all.micro = *micro;
    return all;
}

} // namespace shardlens::launchers
