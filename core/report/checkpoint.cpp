// SPDX-License-Identifier: GPL-3.0-or-later
// What a checkpoint takes when it is saved and loaded. Which way a framework goes is the user's choice
// (sharded or whole, copied to the host first or written tensor by tensor), so every figure is that of one
// way.
#include <algorithm>
#include <fmt/format.h>

#include "report/build.h"

namespace shardlens {
namespace {

std::string gib(double bytes) { return fmt::format("{:.1f}", bytes / kGiB); }

/// The largest value of a member over the stages.
template <class N> N largest(const MemoryReport<N>& memory, N memory::StageLedger<N>::*member) {
    std::size_t most = 0;
    for (std::size_t i = 1; i < memory.stages.size(); ++i)
        if (memory.stages[i].*member > memory.stages[most].*member) most = i;
    return memory.stages.empty() ? N(0) : memory.stages[most].*member;
}

} // namespace

template <class N>
CheckpointReport<N> checkpoint_report(const Setup& setup, const ModelReport<N>& model,
                                      const MemoryReport<N>& memory) {
    CheckpointReport<N> out;
    if (setup.plan.fidelity == Fidelity::textbook) return out;
    const N weight = input<N>(memory::weight_bytes_per_parameter(setup),
                              {"bytes_per_parameter", "B", "dtypes of stack and plan", Tag::exact});
    const N saved = input<N>(memory::saved_bytes_per_parameter(setup),
                             {"saved_bytes_per_parameter", "B",
                              "weights, master copy and moments by stack and optimizer", Tag::exact});
    using Ledger = memory::StageLedger<N>;
    out.file_bytes =
        named(ceil_of(model.parameters * saved), {"file_bytes", "B", "all parameters, once", Tag::modelled});
    out.save_host_bytes =
        named(largest(memory, &Ledger::saved_bytes),
              {"save_host_bytes", "B",
               "torch.distributed.checkpoint async_save and Megatron Core's FileSystemWriterAsync copy a "
               "rank's part to the host, then write it",
               Tag::modelled});
    out.save_device_bytes =
        named(largest(memory, &Ledger::save_device_bytes),
              {"save_device_bytes", "B", "fullest rank between two steps", Tag::modelled});
    out.gather_host_bytes =
        named(ceil_of(model.parameters * weight),
              {"gather_host_bytes", "B",
               "torch FSDP's full state dict, DeepSpeed's stage3_gather_16bit_weights_on_model_save",
               Tag::modelled});
    const std::int64_t ranks = std::min(setup.cluster.node.gpus_per_node, setup.cluster.gpus);
    out.load_host_bytes =
        named(out.gather_host_bytes * input<N>(static_cast<double>(ranks),
                                               {"ranks_per_node", "1", "node preset or plan", Tag::exact}),
              {"load_host_bytes", "B", "torch.load(map_location=\"cpu\") on every rank", Tag::modelled});
    out.load_device_bytes =
        named(largest(memory, &Ledger::load_device_bytes),
              {"load_device_bytes", "B", "torch.load without map_location, fullest rank", Tag::modelled});
    return out;
}
template CheckpointReport<double> checkpoint_report(const Setup&, const ModelReport<double>&,
                                                    const MemoryReport<double>&);
template CheckpointReport<Traced> checkpoint_report(const Setup&, const ModelReport<Traced>&,
                                                    const MemoryReport<Traced>&);

std::vector<Message> checkpoint_messages(const Setup& setup, const MemoryReport<double>& memory,
                                         const CheckpointReport<double>& checkpoint) {
    std::vector<Message> messages;
    // Where training does not fit, that is the thing to mend.
    if (checkpoint.load_device_bytes > memory.capacity_bytes && memory.need_bytes <= memory.capacity_bytes)
        messages.push_back({Severity::info,
                            "checkpoint-load-device",
                            "cluster.memory_bytes",
                            "Resuming needs {0} of {1} GiB where a checkpoint is read straight onto the GPU "
                            "beside the states; read it to the host (map_location=\"cpu\") or in place",
                            {gib(checkpoint.load_device_bytes), gib(memory.capacity_bytes)},
                            {}});

    const double host = setup.cluster.node.host_memory_bytes;
    const double offloaded = node_host_bytes(setup, memory);
    if (host <= 0 || offloaded > host) return messages;
    const double copied = checkpoint.save_host_bytes *
                          static_cast<double>(std::min(setup.cluster.node.gpus_per_node, setup.cluster.gpus));
    if (offloaded + copied > host)
        messages.push_back({Severity::info,
                            "checkpoint-save-host",
                            "cluster.host_memory_bytes",
                            "A checkpoint copied to the host before it is written takes {0} GiB of a node's "
                            "{1} GiB; write it tensor by tensor instead of asynchronously",
                            {gib(offloaded + copied), gib(host)},
                            {}});
    // Only where ranks share the weights is a model saved whole by gathering, and loaded whole by every rank.
    if (setup.zero < 3) return messages;
    if (offloaded + checkpoint.gather_host_bytes > host)
        messages.push_back({Severity::info,
                            "checkpoint-gather-host",
                            "cluster.host_memory_bytes",
                            "Whole weights gathered on rank 0 take {0} GiB of its node's {1} GiB; save a "
                            "sharded checkpoint",
                            {gib(offloaded + checkpoint.gather_host_bytes), gib(host)},
                            {}});
    else if (checkpoint.load_host_bytes > host)
        messages.push_back({Severity::info,
                            "checkpoint-load-host",
                            "cluster.host_memory_bytes",
                            "Whole weights read by every rank take {0} GiB of a node's {1} GiB; read them on "
                            "one rank and broadcast, or from a sharded checkpoint",
                            {gib(checkpoint.load_host_bytes), gib(host)},
                            {}});
    return messages;
}

} // namespace shardlens
