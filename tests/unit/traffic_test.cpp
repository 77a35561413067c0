// SPDX-License-Identifier: GPL-3.0-or-later
// Traffic by link class and collective: worked numbers of ring, two-level and all-to-all exchanges, and the
// time that 100,000 GPUs take.
#include "catch.h"
#include "degrees.h"

#include <chrono>

#include "catalog/catalog.h"
#include "placement/ports.h"
#include "placement/traffic.h"

using namespace shardlens;
using namespace shardlens::placement;

namespace {

Placement place(const Setup& setup) {
    Result<Placement> placement = Placement::make(setup);
    if (!placement) FAIL(placement.error().line());
    return std::move(placement).value();
}

Traffic traffic_of(const Setup& setup, const GroupVolumes& volumes) {
    return traffic(place(setup), setup, volumes);
}

/// Nodes of 8 GPUs with 450 GB/s inside and one card of 50 GB/s each.
Setup machine(const Degrees& degrees) {
    Setup setup = setup_of(degrees);
    setup.cluster.node.scale_up_bytes_per_s_per_gpu = 450e9;
    setup.cluster.node.scale_out_bytes_per_s_per_gpu = 50e9;
    return setup;
}

} // namespace

// 70e9 parameters, tp 8, pp 8, bf16: N = 2.19 GB; 8 members, one on each node, 50 GB/s: 3.83 GB and 77 ms.
TEST_CASE("gradients of 70e9 parameters: bytes and time of a card") {
    const Setup setup = machine({.tp = 8, .dp = 8, .pp = 8});
    GroupVolumes volumes;
    volumes.data_bytes = 2 * 70e9 * 2 / 64;
    const Traffic load = traffic_of(setup, volumes);
    const CollectiveTraffic* data = load.of(GroupKind::dp_cp);
    REQUIRE(data);
    CHECK(data->of(LinkClass::nic).busiest_link_bytes == Approx(3.83e9).epsilon(0.001));
    CHECK(data->busy_s == Approx(0.0766).epsilon(0.001));
    CHECK(load.nic.busy_s() == Approx(0.0766).epsilon(0.001));
    CHECK(data->sent_bytes == Approx(3.83e9).epsilon(0.001));
    CHECK(data->groups == 64);
    CHECK(data->crossing == 64);
    CHECK(data->groups_per_nic == 1);
    CHECK(load.of(GroupKind::tp) == nullptr); // nothing to send
}

// x ranks on each of k nodes: 2 (k − 1) / k N / x through a card in two levels, 2 (kx − 1) / (kx) N / x round
// a flat ring of x channels; 2 (x − 1) + 2 (k − 1) messages one after the other against 2 (kx − 1).
TEST_CASE("two levels against a flat ring") {
    const double vector = 1e9;
    const Setup setup = machine({.dp = 64, .experts = false}); // x = 8, k = 8
    GroupVolumes volumes;
    volumes.data_bytes = 2 * vector;
    const Traffic load = traffic_of(setup, volumes);
    const CollectiveTraffic* data = load.of(GroupKind::dp_cp);
    REQUIRE(data);
    CHECK(data->two_level_nic_bytes == Approx(2 * 7.0 / 8 * vector / 8));
    CHECK(data->two_level_nic_bytes == data->of(LinkClass::nic).busiest_link_bytes);
    CHECK(data->flat_nic_bytes == Approx(2 * 63.0 / 64 * vector / 8));
    CHECK(data->two_level_messages == 2 * 7 + 2 * 7);
    CHECK(data->flat_messages == 2 * 63);
    CHECK(data->of(LinkClass::scale_up).busiest_link_bytes == Approx(2 * 7.0 / 8 * vector));

    // All-to-all: bytes unchanged, messages per card drop from x (k − 1) to k − 1.
    const Setup experts = machine({.dp = 64, .ep = 64});
    GroupVolumes exchange;
    exchange.expert_bytes = 470e6;
    const CollectiveTraffic* ep = nullptr;
    const Traffic moved = traffic_of(experts, exchange);
    REQUIRE((ep = moved.of(GroupKind::ep)));
    CHECK(ep->two_level_nic_bytes == ep->flat_nic_bytes);
    CHECK(ep->two_level_messages == 7);
    CHECK(ep->flat_messages == 8 * 7);
}

// 4096 tokens a GPU, hidden 7168, bf16, top 8, 8 nodes: 470 MB a dispatch, 411 MB remote, 8.2 ms at 50 GB/s;
// sent once per node 8 (1 − (7/8)^8) = 5.25 nodes, 4.59 of them remote: 270 MB, 5.4 ms; in an NVLink domain
// of 64 at 900 GB/s 0.5 ms.
TEST_CASE("one dispatch over 64 experts' ranks") {
    Degrees degrees{.dp = 64, .pp = 16, .ep = 64};
    GroupVolumes volumes;
    volumes.expert_bytes = 4096.0 * 8 * 7168 * 2;
    Setup setup = machine(degrees);
    setup.shape.moe->top_k = 8;
    const auto nic_bytes = [&] {
        return traffic_of(setup, volumes).of(GroupKind::ep)->of(LinkClass::nic).busiest_link_bytes;
    };
    CHECK(nic_bytes() == Approx(411e6).epsilon(0.001));
    CHECK(nic_bytes() / 50e9 == Approx(8.2e-3).epsilon(0.01));
    setup.stack.expert_deduplication = true;
    CHECK(nic_bytes() == Approx(270e6).epsilon(0.003));
    CHECK(nic_bytes() / 50e9 == Approx(5.4e-3).epsilon(0.01));
    setup.cluster.node.efa = true; // has no such exchange
    CHECK(nic_bytes() == Approx(411e6).epsilon(0.001));

    degrees.domain = 64;
    Setup rack = machine(degrees);
    rack.cluster.node.scale_up_bytes_per_s_per_gpu = 900e9;
    const Traffic inside = traffic_of(rack, volumes);
    CHECK(inside.nic.bytes_per_step == 0);
    CHECK(inside.of(GroupKind::ep)->busy_s == Approx(0.5e-3).epsilon(0.05));
}

// Pods of 3072 GPUs, 7 : 1: the uplink's time over the card's is o · u / y.
TEST_CASE("oversubscribed uplinks hurt only where o u > y") {
    Setup outer = machine({.tp = 8, .dp = 96, .pp = 16, .order = "tp-cp-pp-dp", .nodes_per_pod = 384});
    outer.cluster.node.oversubscription = 7;
    GroupVolumes volumes;
    volumes.data_bytes = 2e9;
    const Traffic load = traffic_of(outer, volumes);
    CHECK(load.uplink.capacity_bytes_per_s == Approx(3072 * 50e9 / 7));
    CHECK(load.uplink.busy_s() / load.nic.busy_s() == Approx(7.0 / 24)); // y = 24 in a pod, u = 1
    CHECK(load.of(GroupKind::dp_cp)->busy_s == Approx(load.nic.busy_s()));

    Setup inner = outer;
    inner.plan.parallel.rank_order = "tp-cp-dp-pp";
    GroupVolumes stages;
    stages.pipeline_bytes = 2e6;
    const Traffic messages = traffic_of(inner, stages);
    CHECK(messages.uplink.bytes_per_step > 0); // stages 6,144 ranks apart leave the pod
    CHECK(traffic_of(inner, volumes).uplink.bytes_per_step == 0);
}

// Two GPUs a card: their groups share it, each sees half. By hand: R · (k − 1)/k · N.
TEST_CASE("a card shared by several groups") {
    Setup setup = machine({.tp = 8, .dp = 8});
    setup.cluster.node.nics_per_node = 4;
    GroupVolumes volumes;
    volumes.data_bytes = 1e9;
    const Traffic load = traffic_of(setup, volumes);
    CHECK(load.of(GroupKind::dp_cp)->groups_per_nic == 2);
    CHECK(load.nic.busiest_link_bytes == Approx(2 * 7.0 / 8 * 1e9));
    CHECK(load.nic.capacity_bytes_per_s == Approx(100e9)); // both GPUs' share
    const std::vector<NicLoad> cards = nic_loads(place(setup), setup, volumes, 3);
    REQUIRE(cards.size() == 4);
    for (const NicLoad& card : cards) CHECK(card.bytes_per_step == Approx(2 * 7.0 / 8 * 1e9));
}

// Four ports a GPU: each carries a quarter.
TEST_CASE("GPUs with several ports spread over them") {
    Setup setup = machine({.tp = 8, .dp = 8});
    setup.cluster.node.nics_per_node = 32;
    GroupVolumes volumes;
    volumes.data_bytes = 1e9;
    CHECK(traffic_of(setup, volumes).nic.busiest_link_bytes == Approx(7.0 / 8 * 1e9 / 4));
    const std::vector<NicLoad> cards = nic_loads(place(setup), setup, volumes, 0);
    REQUIRE(cards.size() == 32);
    for (const NicLoad& card : cards) CHECK(card.bytes_per_step == Approx(7.0 / 8 * 1e9 / 4));
    CHECK(uses_nic(setup.cluster.node, 1, 4));
    CHECK_FALSE(uses_nic(setup.cluster.node, 1, 3));
}

// Dies of a package, and a torus: of a group of 8 in pairs half the ring's hops stay in a package; on a 2-d
// torus whose rings close, 8 of 8 x 8 in a row use one of two axes: two of four links.
TEST_CASE("links of packages and of tori") {
    Setup dies = machine({.tp = 8, .experts = false});
    dies.cluster.node.package_accelerators = 2;
    dies.cluster.node.package_bytes_per_s = 200e9;
    GroupVolumes volumes;
    volumes.tensor_bytes = 8e9;
    const Traffic load = traffic_of(dies, volumes);
    CHECK(load.package.busiest_link_bytes == Approx(7e9)); // a die sends all of it to its neighbour
    CHECK(load.package.bytes_per_step == Approx(load.scale_up.bytes_per_step / 2));
    CHECK(load.package.capacity_bytes_per_s == 200e9);
    CHECK(load.torus_axis.capacity_bytes_per_s == 0);

    Setup torus = machine({.tp = 8, .dp = 8, .gpus_per_node = 4, .domain = 64, .experts = false});
    torus.cluster.node.torus_dimensions = 2;
    torus.cluster.node.torus_ring = 8;
    torus.cluster.node.topology = FabricTopology::torus;
    const Traffic rows = traffic_of(torus, volumes);
    CHECK(rows.torus_axis.capacity_bytes_per_s == Approx(450e9 / 4));
    CHECK(rows.nic.bytes_per_step == 0);
    const double share = torus.cluster.node.scale_up_share(8);
    CHECK(rows.torus_axis.busiest_link_bytes == Approx(7e9 / (4 * share)));
    CHECK(rows.of(GroupKind::tp)->busy_s == Approx(7e9 / (450e9 * share)));
}

TEST_CASE("collectives that run at the same time add up at the worst moment") {
    Setup setup = machine({.tp = 16, .dp = 4});
    GroupVolumes volumes;
    volumes.tensor_bytes = 1e9;
    volumes.data_bytes = 1e9;
    setup.overlap.grad_reduce = false;
    // One after the other: the card is never asked for more than it has.
    CHECK(traffic_of(setup, volumes).nic.peak_bytes_per_s <= 50e9 * (1 + 1e-9));
    setup.overlap.grad_reduce = true; // under the passes, beside the tensor groups that leave the node
    const Traffic both = traffic_of(setup, volumes);
    double asked = 0;
    for (const GroupKind kind : {GroupKind::tp, GroupKind::dp_cp})
        asked += both.of(kind)->of(LinkClass::nic).busiest_link_bytes / both.of(kind)->busy_s;
    CHECK(both.nic.peak_bytes_per_s == Approx(asked));
    CHECK(both.nic.peak_bytes_per_s > 50e9);
}

// torchrun sorts names as text: node10 comes up before node2, and groups that fill a pod of hosts in number
// order are torn over two pods.
TEST_CASE("a permuted host list moves ranks between pods") {
    Degrees degrees{.tp = 8, .dp = 2, .pp = 6, .experts = false};
    degrees.nodes_per_pod = 2;
    Setup setup = machine(degrees);
    for (int i = 0; i < 12; ++i) setup.plan.cluster.hosts.push_back("node" + std::to_string(i));
    CHECK(place(setup).reach(GroupKind::dp).pods == 1); // nodes 2i and 2i + 1
    CHECK(place(setup).node_of(8 * 10) == 10);
    CHECK(place(setup).crossing_pods(GroupKind::dp) == 0);

    setup.plan.cluster.hosts = {"node0", "node1", "node10", "node11", "node2", "node3",
                                "node4", "node5", "node6",  "node7",  "node8", "node9"};
    const Placement pairs = place(setup); // pairs stay together
    CHECK(pairs.node_of(8 * 2) == 10);
    CHECK(pairs.first_rank_on(10) == 16);
    CHECK(pairs.reach(GroupKind::dp).pods == 1);

    setup.plan.cluster.hosts = {"node1", "node10", "node11", "node12", "node2", "node3",
                                "node4", "node5",  "node6",  "node7",  "node8", "node9"};
    const Placement torn = place(setup); // numbers 1 … 12: places 0, 9, 10, 11, 1, 2 …
    CHECK(torn.node_of(8) == 9);
    CHECK(torn.node_of(8 * 4) == 1);
    CHECK(torn.reach(GroupKind::dp).pods == 2);
    // Launched pairs stand at (0, 9), (10, 11), (1, 2), (3, 4), (5, 6), (7, 8): all but the second in two
    // pods.
    CHECK(torn.crossing_pods(GroupKind::dp) == 5 * 8);
    CHECK(torn.reach(GroupKind::tp).pods == 1);
    CHECK(torn.groups(GroupKind::dp) == pairs.groups(GroupKind::dp)); // ranks as before
}

// Racks of 18 trays with 4 GPUs each: launched backwards an expert group of 8 stays in its rack, with every
// second tray of two racks swapped it is torn in two and half of its all-to-all leaves through the ports.
TEST_CASE("hosts in another order tear groups out of their rack") {
    Degrees degrees{.dp = 144, .ep = 8, .gpus_per_node = 4, .domain = 72};
    degrees.nodes_per_pod = 18;
    Setup setup = machine(degrees);
    std::vector<std::string> backwards, swapped;
    for (int tray = 35; tray >= 0; --tray) backwards.push_back("t" + std::to_string(tray));
    for (int tray = 0; tray < 36; ++tray)
        swapped.push_back("t" + std::to_string(tray % 2 == 0 ? tray : (tray + 18) % 36));
    GroupVolumes volumes;
    volumes.expert_bytes = 8e6;
    setup.plan.cluster.hosts = backwards;
    CHECK(place(setup).reach(GroupKind::ep).domains == 1);
    CHECK(place(setup).crossing_domains(GroupKind::ep) == 0);
    CHECK(traffic_of(setup, volumes).nic.bytes_per_step == 0);
    setup.plan.cluster.hosts = swapped;
    const Placement torn = place(setup);
    CHECK(torn.reach(GroupKind::ep).domains == 2);
    CHECK(torn.reach(GroupKind::ep).members_per_domain == 4);
    CHECK(torn.crossing_domains(GroupKind::ep) == 18); // of 18: each has one tray of either rack
    CHECK(torn.domain_of(4) == 1);
    CHECK(traffic_of(setup, volumes).nic.busiest_link_bytes == Approx(4e6)); // 4 of 8 members are far
    for (const NicLoad& port : nic_loads(torn, setup, volumes, 5)) CHECK(port.bytes_per_step == Approx(4e6));
}

// Every kind of fabric among the presets, by hand from the figures in their files.
TEST_CASE("each class of links of every fabric has its capacity") {
    const Catalog catalog({presets_directory()});
    const auto loads = [&](const char* id, std::int64_t gpus) {
        const auto node = catalog.node(id);
        if (!node) FAIL(node.error().line());
        Setup setup = setup_of({.tp = 2, .dp = gpus / 2, .experts = false});
        setup.cluster.node = **node;
        GroupVolumes volumes;
        volumes.tensor_bytes = volumes.data_bytes = 1e9;
        return traffic_of(setup, volumes);
    };
    struct Fabric {
        const char* id;
        std::int64_t gpus;
        double scale_up, nic, uplink, pair_s; ///< pair_s: 0.5 GB to the other GPU of a pair
    };
    for (const Fabric& fabric : {
             Fabric{"dgx-h100", 512, 450e9, 50e9, 256 * 50e9, 0.5 / 450},            // NVSwitch, rails
             Fabric{"onprem-8x4090", 16, 25e9, 8 * 1.5625e9, 0, 0.5 / 25},           // PCIe, one card a box
             Fabric{"hgx-h100-4", 16, 450e9, 50e9, 0, 0.5 / 150},                    // mesh: 1 of 3 links
             Fabric{"azure-nd-mi300x-v5", 64, 448e9, 50e9, 0, 0.5 / 64},             // mesh: 1 of 7
             Fabric{"dgx-1v", 64, 150e9, 2 * 6.25e9, 0, 0.5 / 25},                   // cube mesh: 1 of 6
             Fabric{"gb200-nvl72", 144, 900e9, 50e9, 72 * 50e9, 0.5 / 900},          // NVLink over the rack
             Fabric{"meta-24k-roce", 6144, 450e9, 50e9, 3072 * 50e9 / 7, 0.5 / 450}, // fat tree, 7 : 1
             Fabric{"alps-gh200", 1024, 450e9, 25e9, 448 * 25e9, 0.5 / 150},         // dragonfly, mesh
             Fabric{"frontier", 2048, 175e9, 25e9, 1024 * 12.5e9 / 1.75, 0.5 / 200}, // dragonfly, packages
             Fabric{"tpu-v5e-slice", 512, 180e9, 4 * 3.125e9, 256 * 3.125e9, 0.5 / 45}, // torus: 1 of 4 links
             Fabric{"trn2.48xlarge", 64, 512e9, 25e9, 0, 0.5 / 128},
         }) {
        INFO(fabric.id);
        const Traffic load = loads(fabric.id, fabric.gpus);
        CHECK(load.scale_up.capacity_bytes_per_s == Approx(fabric.scale_up));
        CHECK(load.nic.capacity_bytes_per_s == Approx(fabric.nic));
        CHECK(load.uplink.capacity_bytes_per_s == Approx(fabric.uplink).margin(1));
        CHECK(load.of(GroupKind::tp)->busy_s == Approx(fabric.pair_s));
        CHECK(load.nic.bytes_per_step > 0);
        CHECK((load.uplink.bytes_per_step > 0) == (fabric.uplink > 0));
        CHECK(load.of(GroupKind::dp_cp)->busy_s > 0);
    }
    const Traffic dies = loads("frontier", 2048);
    CHECK(dies.package.capacity_bytes_per_s == 200e9);
    CHECK(dies.of(GroupKind::tp)->of(LinkClass::package).busiest_link_bytes == Approx(0.5e9));
    CHECK(dies.of(GroupKind::tp)->of(LinkClass::package).bytes_per_step ==
          Approx(dies.of(GroupKind::tp)->of(LinkClass::scale_up).bytes_per_step)); // a pair is one package
    CHECK(loads("tpu-v5e-slice", 512).torus_axis.capacity_bytes_per_s == 45e9);
    CHECK(loads("tpu-v5p-pod", 512).torus_axis.capacity_bytes_per_s == 90e9); // six links of a 3-d torus
    // Presets without pods are one pod; all others have what the map draws.
    for (const PresetEntry& entry : catalog.list(PresetKind::node)) {
        INFO(entry.id);
        const Traffic load = loads(entry.id.c_str(), 64);
        CHECK(load.scale_up.capacity_bytes_per_s > 0);
        CHECK(load.nic.capacity_bytes_per_s > 0);
    }
}

TEST_CASE("100,000 GPUs: placement, traffic and every group") {
    Degrees degrees{.tp = 8, .dp = 782, .pp = 16, .ep = 8, .nodes_per_pod = 384};
    const Setup setup = machine(degrees);
    GroupVolumes volumes;
    volumes.tensor_bytes = volumes.expert_bytes = volumes.data_bytes = volumes.pipeline_bytes = 1e9;
    const auto seconds = [](const auto& run) {
        double best = 1e30;
        for (int i = 0; i < 5; ++i) {
            const auto start = std::chrono::steady_clock::now();
            run();
            best = std::min(best,
                            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        }
        return best;
    };
    double bytes = 0;
    const double closed = seconds([&] { bytes += traffic_of(setup, volumes).nic.bytes_per_step; });
    std::size_t members = 0;
    const double listed = seconds([&] {
        const Placement placement = place(setup);
        for (const GroupKind kind : kGroupKinds)
            for (const auto& group : placement.groups(kind)) members += group.size();
    });
    Setup permuted = setup; // launched backwards: pods are counted group by group
    for (std::int64_t node = setup.cluster.nodes(); node > 0; --node)
        permuted.plan.cluster.hosts.push_back("node" + std::to_string(node));
    const double counted = seconds([&] { bytes += traffic_of(permuted, volumes).nic.bytes_per_step; });
    CAPTURE(closed, listed, counted, bytes, members);
    WARN("100,096 GPUs: placement and traffic " << closed * 1e3 << " ms, with a permuted host list "
                                                << counted * 1e3 << " ms, every group listed " << listed * 1e3
                                                << " ms");
    CHECK(closed < 0.1);
    CHECK(counted < 0.1);
    CHECK(listed < 1); // tens of milliseconds on an idle machine
}
