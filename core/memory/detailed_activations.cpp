// SPDX-License-Identifier: GPL-3.0-or-later
// Activations per layer and chunk, from the saved tensors of the operator list.
#include <algorithm>

#include "memory/detailed.h"
#include "model/saved.h"

namespace shardlens::memory {
namespace {

template <class N>
LayerBytes<N> layer_bytes(const Setup& setup, model::LayerKind kind, bool global, bool recomputed) {
    const model::Layer<N> layer = model::layer<N>(setup, kind, global);
    LayerBytes<N> out;
    out.dense_weights =
        named(model::dense_weights(layer), {"layer_weights_on_rank", "1", "operator list", Tag::exact});
    out.expert_weights =
        named(model::expert_weights(layer), {"expert_weights_on_rank", "1", "operator list", Tag::exact});
    const bool body = kind != model::LayerKind::embedding && kind != model::LayerKind::head;
    out.kept = model::kept_bytes(setup, layer, body && recomputed);
    if (body && recomputed && setup.plan.memory.recompute != Recompute::none)
        out.remade = max_of(model::saved_bytes(layer) - out.kept, N(0.0));
    out.working = layer.working_bytes * setup.stack.working_set_factor;
    if (body && setup.sequence && setup.stack.saved == SavedStyle::torchtitan) {
        // DTensor gathers the sequence for both column linears and keeps inputs and gradients whole.
        const auto d = model::dimensions<N>(setup);
        out.working += 4.0 * d.tokens * d.hidden * d.element;
    }
    return out;
}

} // namespace

template <class N> LayerLibrary<N> LayerLibrary<N>::of(const Setup& setup) {
    LayerLibrary library;
    library.chunks = model::count_kinds(setup);
    for (std::size_t kind = 0; kind < model::kBodyKinds; ++kind) {
        const bool used = std::any_of(library.chunks.begin(), library.chunks.end(),
                                      [&](const model::KindCounts& c) { return c[kind] > 0; });
        if (used)
            library.body[kind] = layer_bytes<N>(setup, model::body_kind(kind), model::is_global(kind),
                                                model::is_recomputed(kind));
    }
    library.embedding = layer_bytes<N>(setup, model::LayerKind::embedding, true, false);
    library.head = layer_bytes<N>(setup, model::LayerKind::head, true, false);
    if (setup.shape.mtp_layers > 0)
        library.mtp =
            layer_bytes<N>(setup, model::LayerKind::mtp, true, setup.plan.memory.recompute_layers == 0);
    return library;
}

template <class N> N LayerLibrary<N>::chunk_bytes(const Setup& setup, std::size_t chunk) const {
    N bytes = 0.0;
    for (std::size_t kind = 0; kind < model::kBodyKinds; ++kind)
        if (chunks[chunk][kind] > 0)
            bytes += input<N>(static_cast<double>(chunks[chunk][kind]),
                              {"layers", "1", "the split of layers over chunks", Tag::exact}) *
                     body[kind]->kept;
    if (chunk + 1 == chunks.size()) {
        bytes += head.kept;
        if (mtp) bytes += static_cast<double>(setup.shape.mtp_layers) * mtp->kept;
    }
    return bytes;
}

template struct LayerLibrary<double>;
template struct LayerLibrary<Traced>;

std::vector<double> chunk_activation_bytes(const Setup& setup) {
    const auto library = LayerLibrary<double>::of(setup);
    std::vector<double> bytes(library.chunks.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = library.chunk_bytes(setup, i);
    return bytes;
}

} // namespace shardlens::memory
