// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the field table: the cluster. Everything but node and gpus overrides the node preset or its
// accelerator.
#include "plan/rows.h"

namespace shardlens::detail {

void add_cluster_fields(std::vector<Field>& table) {
    using C = ClusterSpec;
    constexpr Given kMust = Given::required;
    constexpr Given kOmit = Given::omitted;
    table.push_back(
        text<Cluster<&C::node>>("cluster.node", kMust, SHARDLENS_TR("Node"),
                                SHARDLENS_TR("Preset of the machine that the cluster is made of.")));
    table.push_back(integer<Cluster<&C::gpus>>("cluster.gpus", kMust, 1, kMaxGpus, "", SHARDLENS_TR("GPUs"),
                                               SHARDLENS_TR("How many GPUs train this model.")));
    table.push_back(
        text<Cluster<&C::accelerator>>("cluster.accelerator", kOmit, SHARDLENS_TR("Accelerator"),
                                       SHARDLENS_TR("Another accelerator in place of the node's own.")));
    table.push_back(integer<Cluster<&C::gpus_per_node>>("cluster.gpus_per_node", kOmit, 1, kMaxGpus, "",
                                                        SHARDLENS_TR("GPUs per node"),
                                                        SHARDLENS_TR("How many GPUs sit in one machine.")));
    table.push_back(number<Cluster<&C::memory_bytes>>("cluster.memory_bytes", kOmit, 1, kMaxAmount, "B",
                                                      SHARDLENS_TR("GPU memory"),
                                                      SHARDLENS_TR("Memory of one GPU.")));
    table.push_back(number<Cluster<&C::memory_bandwidth_bytes_per_s>>(
        "cluster.memory_bandwidth_bytes_per_s", kOmit, 1, kMaxAmount, "B/s", SHARDLENS_TR("Memory bandwidth"),
        SHARDLENS_TR("How fast one GPU reads its own memory.")));
    table.push_back(number<Cluster<&C::scale_up_bytes_per_s_per_gpu>>(
        "cluster.scale_up_bytes_per_s_per_gpu", kOmit, 1, kMaxAmount, "B/s",
        SHARDLENS_TR("Scale-up bandwidth"),
        SHARDLENS_TR("What one GPU sends to its neighbours inside the fast domain, in one direction.")));
    table.push_back(number<Cluster<&C::scale_out_bytes_per_s_per_gpu>>(
        "cluster.scale_out_bytes_per_s_per_gpu", kOmit, 1, kMaxAmount, "B/s",
        SHARDLENS_TR("Scale-out bandwidth"),
        SHARDLENS_TR("What one GPU sends over the network between machines, in one direction.")));
    table.push_back(integer<Cluster<&C::scale_up_domain>>(
        "cluster.scale_up_domain", kOmit, 1, kMaxGpus, "", SHARDLENS_TR("Scale-up domain"),
        SHARDLENS_TR("How many GPUs share the fast fabric, such as 8 in a server or 72 in a rack.")));
    table.push_back(integer<Cluster<&C::nodes_per_pod>>(
        "cluster.nodes_per_pod", kOmit, 0, kMaxGpus, "", SHARDLENS_TR("Nodes per pod"),
        SHARDLENS_TR("How many machines share one network pod; 0 puts all of them into one.")));
    table.push_back(number<Cluster<&C::oversubscription>>(
        "cluster.oversubscription", kOmit, 1, 1000, "", SHARDLENS_TR("Oversubscription"),
        SHARDLENS_TR("Bandwidth into a pod over the bandwidth out of it; 1 means none is lost.")));
    table.push_back(number<Cluster<&C::host_memory_bytes>>(
        "cluster.host_memory_bytes", kOmit, 0, kMaxAmount, "B", SHARDLENS_TR("Host memory"),
        SHARDLENS_TR("CPU memory of one machine, for offloading.")));
    table.push_back(
        number<Cluster<&C::power_w>>("cluster.power_w", kOmit, 0, 1e6, "W", SHARDLENS_TR("Power"),
                                     SHARDLENS_TR("Electric power that one GPU draws while training.")));
    table.push_back(number<Cluster<&C::dollars_per_gpu_hour>>("cluster.dollars_per_gpu_hour", kOmit, 0, 1e6,
                                                              "USD/h", SHARDLENS_TR("Price"),
                                                              SHARDLENS_TR("What one GPU costs per hour.")));
    table.push_back(number<Cluster<&C::mtbf_hours_per_gpu>>(
        "cluster.mtbf_hours_per_gpu", kOmit, 1e-3, 1e12, "h", SHARDLENS_TR("Time between failures"),
        SHARDLENS_TR("Mean hours until one GPU interrupts the run.")));
    table.push_back(number<Cluster<&C::checkpoint_bytes_per_s>>(
        "cluster.checkpoint_bytes_per_s", kOmit, 1, kMaxAmount, "B/s", SHARDLENS_TR("Checkpoint bandwidth"),
        SHARDLENS_TR("How fast the whole job writes a checkpoint.")));
    table.push_back(number<Cluster<&C::pue>>(
        "cluster.pue", kOmit, 1, 100, "", SHARDLENS_TR("PUE"),
        SHARDLENS_TR("Energy of the whole data centre over the energy of its computers.")));
    table.push_back(number<Cluster<&C::kg_co2_per_kwh>>(
        "cluster.kg_co2_per_kwh", kOmit, 0, 100, "kg/kWh", SHARDLENS_TR("Carbon intensity"),
        SHARDLENS_TR("Carbon dioxide emitted per kilowatt-hour.")));
    table.push_back(row<Cluster<&C::hosts>>("cluster.hosts", FieldType::text_list, kOmit,
                                            SHARDLENS_TR("Hosts"),
                                            SHARDLENS_TR("Names of the machines in launch order.")));
}

} // namespace shardlens::detail
