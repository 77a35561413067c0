// SPDX-License-Identifier: GPL-3.0-or-later
// The textbook ledger: model states by ZeRO stage, activations by the closed forms of Korthikanti et al.
#include <algorithm>

#include "memory/ledger.h"
#include "model/counts.h"

namespace shardlens::memory {
namespace {

constexpr const char* kZero = "ZeRO, arXiv 1910.02054, section 3";
constexpr const char* kKorthikanti = "arXiv 2205.05198, section 4";

struct StateBytes {
    double parameters, gradients, optimizer;
};

/// Bytes per parameter. Mixed precision: 2 + 2 + (master 4 + moments); full fp32: 4 + 4 + moments.
StateBytes state_bytes(const Training& training) {
    const bool full = training.precision == Precision::fp32;
    double moments = 8; // Adam: first and second moment in fp32
    switch (training.optimizer) {
    case Optimizer::adamw: moments = 8; break;
    case Optimizer::adamw_8bit: moments = 2; break;
    case Optimizer::sgd:
    case Optimizer::muon: moments = 4; break;      // one momentum
    case Optimizer::adafactor: moments = 0; break; // row and column sums are negligible
    }
    return full ? StateBytes{4, 4, moments} : StateBytes{2, 2, 4 + moments};
}

template <class N> struct Symbols { N s, b, h, t, a, c; };

template <class N> Symbols<N> symbols(const Setup& setup) {
    const auto count = [](std::int64_t n, const char* name) {
        return input<N>(static_cast<double>(n), {name, "1", "plan", Tag::exact});
    };
    return {count(setup.plan.training.sequence_length, "sequence_length"),
            count(setup.plan.training.micro_batch_size, "micro_batch_size"),
            input<N>(static_cast<double>(setup.shape.hidden), {"hidden", "1", "model", Tag::exact}),
            count(setup.tensor, "tensor"),
            input<N>(static_cast<double>(setup.shape.heads), {"heads", "1", "model", Tag::exact}),
            count(setup.context, "context")};
}

/// Bytes that one layer keeps per micro-batch when nothing of it is recomputed.
template <class N> N stored_layer_bytes(const Setup& setup, const Symbols<N>& y) {
    const N sbh = y.s * y.b * y.h / y.c;
    N bytes;
    if (setup.tensor == 1)
        bytes = 34.0 * sbh;
    else if (setup.sequence)
        bytes = 34.0 * sbh / y.t;
    else
        bytes = sbh * (10.0 + 24.0 / y.t);
    const bool scores_kept = setup.plan.training.attention == Attention::standard &&
                             setup.plan.memory.recompute != Recompute::selective;
    if (scores_kept) bytes += 5.0 * y.a * y.s * y.s * y.b / (y.t * y.c);
    return named(bytes, {"layer_activation_bytes", "B", kKorthikanti, Tag::modelled});
}

/// With full recomputation only the layer's input stays: 2·sbh.
template <class N> N checkpoint_layer_bytes(const Setup& setup, const Symbols<N>& y) {
    const N sbh = y.s * y.b * y.h / y.c;
    return named(setup.sequence ? 2.0 * sbh / y.t : 2.0 * sbh,
                 {"layer_checkpoint_bytes", "B", kKorthikanti, Tag::modelled});
}

std::int64_t layers_on_rank(const Setup& setup, std::int64_t rank) {
    std::int64_t layers = 0;
    for (std::size_t chunk = static_cast<std::size_t>(rank); chunk < setup.layers_per_chunk.size();
         chunk += static_cast<std::size_t>(setup.pipeline))
        layers += setup.layers_per_chunk[chunk];
    return layers;
}

/// Parameters of the GPU before ZeRO: Ψ = Ψ_total / (t·p); routed experts lie on their own grid.
template <class N> struct Psi { N dense, experts; };

template <class N> Psi<N> parameters_per_gpu(const Setup& setup) {
    const auto counts = model::count_parameters<N>(setup.shape);
    const N t = input<N>(static_cast<double>(setup.tensor), {"tensor", "1", "plan", Tag::exact});
    const N p = input<N>(static_cast<double>(setup.pipeline), {"pipeline", "1", "plan", Tag::exact});
    const N total = named(counts.total, {"parameters", "1", "", Tag::exact});
    if (!setup.moe() || setup.shape.parameters || setup.shape.moe->experts <= setup.shape.moe->top_k)
        return {named(total / (t * p), {"parameters_per_gpu", "1", kZero, Tag::modelled}), N(0)};
    const double all = static_cast<double>(setup.shape.moe->experts),
                 visited = static_cast<double>(setup.shape.moe->top_k);
    // total − active leaves out `visited` of `all` experts, so all of them are that times all / (all −
    // visited).
    const N active = named(counts.active, {"active_parameters", "1", "", Tag::exact});
    const N experts =
        named((total - active) * (all / (all - visited)), {"expert_parameters", "1", "model", Tag::exact});
    const N e = input<N>(static_cast<double>(setup.expert), {"expert", "1", "plan", Tag::exact});
    const N et =
        input<N>(static_cast<double>(setup.expert_tensor), {"expert_tensor", "1", "plan", Tag::exact});
    return {named((total - experts) / (t * p), {"parameters_per_gpu", "1", kZero, Tag::modelled}),
            named(experts / (et * e * p), {"expert_parameters_per_gpu", "1", kZero, Tag::modelled})};
}

template <class N> N states(const Psi<N>& psi, double bytes, bool sharded, const Setup& setup) {
    const N d = input<N>(static_cast<double>(setup.shard), {"shard_ranks", "1", "plan", Tag::exact});
    const N ed =
        input<N>(static_cast<double>(setup.expert_shard), {"expert_shard_ranks", "1", "plan", Tag::exact});
    N sum = sharded ? bytes * psi.dense / d : bytes * psi.dense;
    if (value_of(psi.experts) > 0) sum += sharded ? bytes * psi.experts / ed : bytes * psi.experts;
    return ceil_of(sum);
}

} // namespace

template <class N> std::vector<StageLedger<N>> textbook_ledger(const Setup& setup) {
    const Symbols<N> y = symbols<N>(setup);
    const Psi<N> psi = parameters_per_gpu<N>(setup);
    const StateBytes bytes = state_bytes(setup.plan.training);
    const N parameters = states(psi, bytes.parameters, setup.zero >= 3, setup);
    const N gradients = states(psi, bytes.gradients, setup.zero >= 2, setup);
    const N optimizer = states(psi, bytes.optimizer, setup.zero >= 1, setup);
    const bool full = setup.plan.memory.recompute == Recompute::full;
    const N stored = stored_layer_bytes(setup, y);
    const N checkpoint = checkpoint_layer_bytes(setup, y);

    std::vector<StageLedger<N>> ledger(static_cast<std::size_t>(setup.pipeline));
    for (std::int64_t rank = 0; rank < setup.pipeline; ++rank) {
        auto& stage = ledger[static_cast<std::size_t>(rank)];
        stage.stage = rank;
        stage.layers = layers_on_rank(setup, rank);
        const N m =
            input<N>(static_cast<double>(setup.micro_batches), {"micro_batches", "1", "plan", Tag::exact});
        if (setup.schedule == ScheduleKind::gpipe)
            stage.in_flight_micro_batches =
                named(m, {"in_flight_micro_batches", "1", "GPipe, arXiv 1811.06965", Tag::modelled});
        else
            stage.in_flight_micro_batches = named(
                min_of(input<N>(static_cast<double>(setup.pipeline), {"pipeline", "1", "plan", Tag::exact}) -
                           static_cast<double>(rank),
                       m),
                {"in_flight_micro_batches", "1", "1F1B, arXiv 2104.04473, section 2.2", Tag::modelled});

        stage.parameters_bytes = named(parameters, {"parameters_bytes", "B", kZero, Tag::modelled});
        stage.gradients_bytes = named(gradients, {"gradients_bytes", "B", kZero, Tag::modelled});
        const bool offloaded = setup.plan.memory.offload_optimizer != Offload::none;
        stage.optimizer_bytes =
            named(offloaded ? N(0) : optimizer, {"optimizer_bytes", "B", kZero, Tag::modelled});
        stage.host_bytes = named(offloaded ? optimizer : N(0), {"host_bytes", "B", kZero, Tag::modelled});

        const std::int64_t wanted = setup.plan.memory.recompute_layers;
        const std::int64_t recomputed = !full         ? 0
                                        : wanted == 0 ? stage.layers
                                                      : std::min(wanted, stage.layers);
        const auto layers = [&](std::int64_t n, const char* name) {
            return input<N>(static_cast<double>(n), {name, "1", "plan", Tag::exact});
        };
        std::vector<N> kinds;
        if (recomputed < stage.layers)
            kinds.push_back(stored * layers(stage.layers - recomputed, "layers_on_rank"));
        if (recomputed > 0) kinds.push_back(checkpoint * layers(recomputed, "recomputed_layers"));
        const N per_micro_batch = sum_of(kinds);
        stage.activations_bytes = named(ceil_of(per_micro_batch * stage.in_flight_micro_batches),
                                        {"activations_bytes", "B", kKorthikanti, Tag::modelled});
        stage.total_bytes = named(stage.parameters_bytes + stage.gradients_bytes + stage.optimizer_bytes +
                                      stage.activations_bytes,
                                  {"total_bytes", "B", "sum of the ledger", Tag::modelled});
        stage.peak_event = "all micro-batches in flight";
    }
    return ledger;
}

template std::vector<StageLedger<double>> textbook_ledger<double>(const Setup&);
template std::vector<StageLedger<Traced>> textbook_ledger<Traced>(const Setup&);

} // namespace shardlens::memory
