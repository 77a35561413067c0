// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.h"
#include "degrees.h"

#include <chrono>

#include "placement/traffic.h"

using namespace shardlens;
using namespace shardlens::placement;
using Groups = std::vector<std::vector<std::int64_t>>;

namespace {

Placement place(const Degrees& degrees) {
    Result<Placement> placement = Placement::make(setup_of(degrees));
    if (!placement) FAIL(placement.error().line());
    return std::move(placement).value();
}

std::vector<Axis> dense(std::string_view text) { return parse_rank_order(text)->dense; }
std::vector<Axis> expert(std::string_view text) { return parse_rank_order(text)->expert; }

/// 70e9 parameters on tp 8 · pp 8 (or 4 · 8): gradients of one rank in bf16.
double gradients(double tensor) { return 70e9 * 2 / (tensor * 8); }

} // namespace

TEST_CASE("rank order: strings and launcher names") {
    using enum Axis;
    CHECK(dense("tp-cp-ep-dp-pp") == std::vector{tp, cp, dp, pp});
    CHECK(expert("tp-cp-ep-dp-pp") == std::vector{etp, ep, edp, pp});
    CHECK(dense("megatron") == dense("tp-cp-ep-dp-pp"));
    CHECK(dense("megatron-tp-pp-dp") == std::vector{tp, cp, pp, dp});
    CHECK(dense("colossalai") == std::vector{cp, tp, pp, dp});           // axes dp, pp, tp, sp
    CHECK(dense("colossalai-dp-inside") == std::vector{cp, tp, dp, pp}); // axes pp, dp, tp, sp
    CHECK(expert("nanotron") == std::vector{etp, edp, pp, ep});          // axes ep, pp, dp, cp, tp
    for (const char* name : {"deepspeed", "torchtitan", "accelerate", "composer", "bmtrain", "nanotron"})
        CHECK(dense(name) == std::vector{tp, cp, dp, pp});
    CHECK(expert("dp-tp-pp-cp") == std::vector{edp, etp, ep, pp}); // ep left out: directly behind etp
    CHECK(expert("ep-dp-tp-pp-cp") == std::vector{ep, edp, etp, pp});
}

TEST_CASE("rank order: what is wrong and what would be right") {
    for (const char* text : {"", "tp", "tp-cp-dp", "tp-tp-cp-dp-pp", "tp-cp-ep-dp-pp-", "tp-cp-etp-dp-pp",
                             "TP-CP-DP-PP", "tp cp dp pp", "tp-cp-ep-dp-pp-ep", "megatron2"}) {
        const Result<RankOrder> order = parse_rank_order(text);
        INFO(text);
        REQUIRE_FALSE(order.ok());
        CHECK(order.error().what.find("tp-cp-ep-dp-pp") != std::string::npos);
    }
    CHECK(parse_rank_order("tp-tp-cp-dp-pp").error().what.find("names tp twice") != std::string::npos);
    CHECK(parse_rank_order("tp-cp-dp").error().what.find("leaves pp out") != std::string::npos);
    CHECK(parse_rank_order("tp-cp-etp-dp-pp").error().what.find("no axis \"etp\"") != std::string::npos);
}

TEST_CASE("degrees that do not multiply to the world are an error, a misfit expert grid is left out") {
    Setup setup = setup_of({.tp = 2, .dp = 3, .pp = 2});
    setup.cluster.gpus = 16;
    CHECK_FALSE(Placement::make(setup).ok());
    CHECK(Placement::make(setup).error().what.find("16 GPUs") != std::string::npos);
    const Placement placement = place({.tp = 2, .dp = 4, .ep = 3});
    CHECK_FALSE(placement.has_experts());
    CHECK(placement.groups(GroupKind::ep).empty());
    CHECK(placement.group_of(GroupKind::edp, 3).empty());
    CHECK(placement.groups(GroupKind::tp).size() == 4);
}

TEST_CASE("documented groups") {
    // rank-mcore-16: Megatron-LM parallel_state.py, its own documented example of 16 GPUs.
    const Placement sixteen = place({.tp = 2, .dp = 2, .pp = 4});
    CHECK(sixteen.groups(GroupKind::tp) ==
          Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}, {12, 13}, {14, 15}});
    CHECK(sixteen.groups(GroupKind::pp) ==
          Groups{{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}});
    CHECK(sixteen.groups(GroupKind::dp) ==
          Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}, {8, 10}, {9, 11}, {12, 14}, {13, 15}});
    CHECK(sixteen.crossing(GroupKind::tp) == 0);
    CHECK(sixteen.crossing(GroupKind::dp) == 0);
    CHECK(sixteen.crossing(GroupKind::pp) == 4);
    CHECK_FALSE(sixteen.stage_border_crosses_node(0)); // 0 → 4
    CHECK(sixteen.stage_border_crosses_node(1));       // 4 → 8
    CHECK(sixteen.stage_border_crosses_node(3));       // back from 12 to 0

    // rank-mcore-32-cp16: Megatron-LM issue 5958. All ranks of a context group read the same batch: their
    // data coordinate is one.
    const Placement long_context = place({.cp = 16, .dp = 2});
    REQUIRE(long_context.group_count(GroupKind::dp) == 16);
    for (std::int64_t i = 0; i < 16; ++i) {
        CHECK(long_context.group(GroupKind::dp, i) == std::vector<std::int64_t>{i, i + 16});
        CHECK(long_context.dense().coordinate(i, Axis::dp) == 0);
        CHECK(long_context.dense().coordinate(i + 16, Axis::dp) == 1);
    }
    CHECK(long_context.group(GroupKind::cp, 0) ==
          std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
    CHECK(long_context.crossing(GroupKind::cp) == 2); // either ring crosses two nodes
    CHECK(long_context.dense().coordinate(17, Axis::cp) == 1);
    CHECK(long_context.dense().coordinate(17, Axis::dp) == 1);
    CHECK(long_context.reach(GroupKind::cp).nodes == 2);
    CHECK(long_context.group(GroupKind::cp, 1) ==
          std::vector<std::int64_t>{16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31});
    CHECK(long_context.group(GroupKind::dp_cp, 0).size() == 32);

    // rank-swift-rollout: ms-swift pull request 6655, the ranks of data coordinate 0.
    const Placement eight = place({.tp = 2, .dp = 2, .pp = 2});
    std::vector<std::int64_t> first_replica;
    for (std::int64_t rank = 0; rank < 8; ++rank)
        if (eight.dense().coordinate(rank, Axis::dp) == 0) first_replica.push_back(rank);
    CHECK(first_replica == std::vector<std::int64_t>{0, 1, 4, 5});

    // Textbook order on 8 GPUs, p = 2: ranks 0 and 1 are one pipeline, 0, 2, 4, 6 hold the first layers.
    const Placement textbook = place({.dp = 4, .pp = 2, .order = "tp-cp-ep-pp-dp"});
    CHECK(textbook.group(GroupKind::pp, 0) == std::vector<std::int64_t>{0, 1});
    CHECK(textbook.group(GroupKind::dp, 0) == std::vector<std::int64_t>{0, 2, 4, 6});

    // rank-picotron-order: picotron issue 17, data or pipeline outermost on 64 GPUs.
    const Placement outer_data = place({.tp = 8, .dp = 4, .pp = 2, .order = "tp-cp-pp-dp"});
    CHECK(outer_data.group(GroupKind::pp, 0) == std::vector<std::int64_t>{0, 8});
    CHECK(outer_data.group(GroupKind::dp, 0) == std::vector<std::int64_t>{0, 16, 32, 48});
    const Placement outer_pipeline = place({.tp = 8, .dp = 4, .pp = 2, .order = "tp-cp-dp-pp"});
    CHECK(outer_pipeline.group(GroupKind::pp, 0) == std::vector<std::int64_t>{0, 32});
    CHECK(outer_pipeline.group(GroupKind::dp, 0) == std::vector<std::int64_t>{0, 8, 16, 24});
}

// Rank orders that no launcher's groups were recorded for, by their own mesh axes, slowest first.
TEST_CASE("meshes of ColossalAI, accelerate, composer and SageMaker") {
    // HybridParallelPlugin: dp, pp, tp, sp; rank = sp + 2 (tp + 2 (pp + 2 dp)).
    const Placement outside = place({.tp = 2, .cp = 2, .dp = 2, .pp = 2, .order = "colossalai"});
    CHECK(outside.group(GroupKind::cp, 0) == std::vector<std::int64_t>{0, 1});
    CHECK(outside.group(GroupKind::tp, 0) == std::vector<std::int64_t>{0, 2});
    CHECK(outside.group(GroupKind::pp, 0) == std::vector<std::int64_t>{0, 4});
    CHECK(outside.group(GroupKind::dp, 0) == std::vector<std::int64_t>{0, 8});
    CHECK_FALSE(outside.stage_border_crosses_node(0)); // neighbours share a node of 8
    // dp_outside=False: pp, dp, tp, sp; ring_attn: dp, pp, sp, tp.
    const Placement inside = place({.tp = 2, .cp = 2, .dp = 2, .pp = 2, .order = "colossalai-dp-inside"});
    CHECK(inside.group(GroupKind::dp, 0) == std::vector<std::int64_t>{0, 4});
    CHECK(inside.group(GroupKind::pp, 0) == std::vector<std::int64_t>{0, 8});
    const Placement ring = place({.tp = 2, .cp = 2, .dp = 2, .pp = 2, .order = "tp-cp-pp-dp"});
    CHECK(ring.group(GroupKind::tp, 0) == std::vector<std::int64_t>{0, 1});
    CHECK(ring.group(GroupKind::cp, 0) == std::vector<std::int64_t>{0, 2});
    // MoeHybridParallelPlugin: moe_dp, pp, ep, tp, sp: rank = tp + 2 (ep + 2 (pp + 2 moe_dp)).
    const Placement moe = place({.tp = 2, .dp = 4, .pp = 2, .ep = 2, .etp = 2, .order = "tp-ep-pp-dp-cp"});
    CHECK(moe.group(GroupKind::ep, 0) == std::vector<std::int64_t>{0, 2});
    CHECK(moe.group(GroupKind::edp, 0) == std::vector<std::int64_t>{0, 8});
    // accelerate: dp_replicate, dp_shard, cp, sp, tp, FSDP over dp_shard · cp: replicas 2, shards 2 · 2.
    const Placement accelerate = place({.tp = 2, .cp = 2, .dp = 4, .order = "accelerate", .shard_group = 4});
    CHECK(accelerate.group(GroupKind::dp_shard, 0) == std::vector<std::int64_t>{0, 2, 4, 6});
    CHECK(accelerate.group(GroupKind::dp_replicate, 0) == std::vector<std::int64_t>{0, 8});
    // composer: dp_replicate, dp_shard, tp.
    const Placement composer = place({.tp = 2, .dp = 8, .order = "composer", .shard_group = 4});
    CHECK(composer.group(GroupKind::dp_shard, 1) == std::vector<std::int64_t>{8, 10, 12, 14});
    CHECK(composer.group(GroupKind::dp_replicate, 0) == std::vector<std::int64_t>{0, 8});
    // SageMaker: "cluster" is DPT (right-most adjacent), "spread" is TPD. BMTrain: pipe, data, tensor.
    CHECK(place({.tp = 2, .dp = 2, .pp = 2, .order = "tp-cp-pp-dp"}).group(GroupKind::dp, 0) ==
          std::vector<std::int64_t>{0, 4});
    CHECK(place({.tp = 2, .dp = 2, .pp = 2, .order = "dp-pp-tp-cp"}).group(GroupKind::tp, 0) ==
          std::vector<std::int64_t>{0, 4});
    CHECK(place({.tp = 2, .dp = 2, .pp = 2, .order = "bmtrain"}).group(GroupKind::pp, 0) ==
          std::vector<std::int64_t>{0, 4});
}

// rank-ds-ep: DeepSpeed issue 1838, 16 GPUs, expert parallel 2.
TEST_CASE("expert groups that DeepSpeed's own comment lists") {
    const Placement placement = place({.dp = 16, .ep = 2, .order = "deepspeed"});
    CHECK(placement.groups(GroupKind::ep) ==
          Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}, {12, 13}, {14, 15}});
    CHECK(placement.groups(GroupKind::edp) ==
          Groups{{0, 2, 4, 6, 8, 10, 12, 14}, {1, 3, 5, 7, 9, 11, 13, 15}});
    CHECK(placement.group(GroupKind::dp, 0).size() == 16);
}

// rank-picotron-order: picotron issue 17. Which axis is outermost changes nothing between nodes when tensor
// groups fill them, and data stays in a rack of two nodes only with data inside.
TEST_CASE("data or pipeline outermost: bytes by link") {
    GroupVolumes volumes;
    volumes.data_bytes = 4e9;
    volumes.pipeline_bytes = 1e9;
    const auto carried = [&](const char* order, std::int64_t nodes_per_pod) {
        const Degrees degrees{.tp = 8, .dp = 4, .pp = 2, .order = order, .nodes_per_pod = nodes_per_pod};
        return traffic(place(degrees), setup_of(degrees), volumes);
    };
    CHECK(carried("tp-cp-pp-dp", 0).nic.bytes_per_step == carried("tp-cp-dp-pp", 0).nic.bytes_per_step);
    CHECK(carried("tp-cp-pp-dp", 4).uplink.bytes_per_step >
          2 * carried("tp-cp-dp-pp", 4).uplink.bytes_per_step);
}

TEST_CASE("hybrid shards are slices of data · context, replicas stand across them") {
    const Placement placement = place({.tp = 2, .cp = 2, .dp = 4, .shard_group = 4});
    CHECK(placement.group(GroupKind::dp_cp, 0) == std::vector<std::int64_t>{0, 2, 4, 6, 8, 10, 12, 14});
    CHECK(placement.groups(GroupKind::dp_shard) ==
          Groups{{0, 2, 4, 6}, {8, 10, 12, 14}, {1, 3, 5, 7}, {9, 11, 13, 15}});
    CHECK(placement.group(GroupKind::dp_replicate, 0) == std::vector<std::int64_t>{0, 8});
    // Without sharded state there is nothing but replicas.
    Setup plain = setup_of({.tp = 2, .dp = 4});
    plain.plan.parallel.zero = 0;
    const Result<Placement> unsharded = Placement::make(plain);
    REQUIRE(unsharded.ok());
    CHECK(unsharded->reach(GroupKind::dp_shard).members == 1);
    CHECK(unsharded->reach(GroupKind::dp_replicate).members == 4);
    // An order that parts cp and dp, and slices of 6 of 4 · 3: they cut across both.
    const Placement across = place({.cp = 4, .dp = 3, .pp = 2, .order = "cp-pp-tp-dp", .shard_group = 6});
    CHECK(across.group(GroupKind::dp_shard, 0) == std::vector<std::int64_t>{0, 1, 2, 3, 8, 9});
    CHECK(across.group(GroupKind::dp_replicate, 0) == std::vector<std::int64_t>{0, 10});
}

TEST_CASE("embedding groups join first and last stage") {
    CHECK(place({.tp = 2, .pp = 3}).groups(GroupKind::embedding) == Groups{{0, 4}, {1, 5}});
    CHECK(place({.tp = 2, .dp = 2}).groups(GroupKind::embedding) == Groups{{0}, {1}, {2}, {3}});
    CHECK(place({.tp = 2, .pp = 3}).group_of(GroupKind::embedding, 2).empty());
}

// NVL72: 64-wide expert groups straddle racks of 72, not domains of 64.
TEST_CASE("rack-sized domains") {
    Degrees degrees{.dp = 64, .pp = 9, .ep = 64, .gpus_per_node = 4, .domain = 72};
    CHECK(place(degrees).reach(GroupKind::ep).members_per_domain == 32);
    CHECK(place(degrees).reach(GroupKind::ep).domains == 2);
    degrees.domain = 64;
    CHECK(place(degrees).reach(GroupKind::ep).members_per_domain == 64);
    CHECK(place(degrees).reach(GroupKind::ep).domains == 1);
    for (const std::int64_t ep : {8, 9, 12, 18, 24, 36, 72}) // fit 72 as they divide it
        CHECK(place({.dp = 72, .pp = 8, .ep = ep, .gpus_per_node = 4, .domain = 72})
                  .reach(GroupKind::ep)
                  .domains == 1);
}

// 8 GPUs and NICs per node; a ring of n over k nodes with u members on each sends 2 (k−1)/k N/u per NIC.
TEST_CASE("bytes per NIC") {
    GroupVolumes volumes;
    const Degrees eight{.tp = 8, .dp = 8, .pp = 8}, four{.tp = 4, .dp = 16, .pp = 8};
    volumes.data_bytes = 2 * gradients(8);
    Traffic load = traffic(place(eight), setup_of(eight), volumes);
    CHECK(load.nic.busiest_link_bytes == Approx(3.83e9).epsilon(0.001));
    CHECK(load.nic.bytes_per_step == Approx(512 * 2 * 7.0 / 8 * gradients(8)));
    CHECK(load.scale_up.bytes_per_step == 0);
    volumes.data_bytes = 2 * gradients(4); // twice the vector, two members per node: same load
    CHECK(traffic(place(four), setup_of(four), volumes).nic.busiest_link_bytes ==
          Approx(3.83e9).epsilon(0.001));

    // 4096 tokens, hidden 7168, bf16, top 8: 470 MB per dispatch; over 8 nodes 411 MB leave, 64 of 72 keeps
    // all inside.
    Degrees experts{.dp = 64, .pp = 16, .ep = 64};
    GroupVolumes dispatch;
    dispatch.expert_bytes = 4096.0 * 8 * 7168 * 2;
    CHECK(dispatch.expert_bytes == Approx(470e6).epsilon(0.001));
    CHECK(traffic(place(experts), setup_of(experts), dispatch).nic.busiest_link_bytes ==
          Approx(411e6).epsilon(0.001));
    experts.domain = 64;
    CHECK(traffic(place(experts), setup_of(experts), dispatch).nic.busiest_link_bytes == 0);
    // ep 16 over two nodes: half of it leaves.
    const Degrees two{.tp = 4, .cp = 2, .dp = 4, .pp = 8, .ep = 16};
    CHECK(traffic(place(two), setup_of(two), dispatch).nic.busiest_link_bytes ==
          Approx(dispatch.expert_bytes / 2));

    // A context ring that leaves the node on every hop loads every NIC, one inside the node none.
    GroupVolumes ring;
    ring.context_bytes = 1e6;
    const Degrees out{.tp = 8, .cp = 4, .dp = 4, .pp = 4}, in{.tp = 2, .cp = 2, .dp = 16, .pp = 8};
    CHECK(traffic(place(out), setup_of(out), ring).nic.bytes_per_step ==
          Approx(512 * 0.75e6)); // (c − 1)/c of it
    CHECK(traffic(place(out), setup_of(out), ring).nic.busiest_link_bytes == Approx(0.75e6));
    CHECK(traffic(place(in), setup_of(in), ring).nic.bytes_per_step == 0);

    // Stage messages: 7 of 8 stages send forward, 7 back.
    GroupVolumes stages;
    stages.pipeline_bytes = 2e6; // 1e6 each way
    CHECK(traffic(place(eight), setup_of(eight), stages).nic.bytes_per_step == Approx(2 * 7 * 64 * 1e6));
}

// Pods of 3072 GPUs behind 7 : 1 uplinks, tp8 pp16 dp96: dp has 24 members in a pod, the uplink carries
// (G / y) · 2 (n−1)/n N; the time over it exceeds the NIC's by o · u / y = 7 / 24, so it is harmless.
TEST_CASE("bytes over the uplinks of a pod") {
    const Degrees outer{.tp = 8, .dp = 96, .pp = 16, .order = "tp-cp-pp-dp", .nodes_per_pod = 384};
    const Placement placement = place(outer);
    CHECK(placement.reach(GroupKind::dp).pods == 4);
    GroupVolumes volumes;
    volumes.data_bytes = 2e9;
    const Traffic load = traffic(placement, setup_of(outer), volumes);
    const double sent = 2e9 * 95 / 96;
    CHECK(load.uplink.busiest_link_bytes == Approx(3072 / 24.0 * sent));
    const double bandwidth = 50e9, oversubscription = 7;
    const double uplink_s = load.uplink.busiest_link_bytes / (3072 * bandwidth / oversubscription);
    CHECK(uplink_s / (load.nic.busiest_link_bytes / bandwidth) == Approx(7.0 / 24));
    Degrees inner = outer; // pipeline last: data parallelism stays in the pod
    inner.order = "tp-cp-dp-pp";
    CHECK(place(inner).reach(GroupKind::dp).pods == 1);
    CHECK(place(inner).reach(GroupKind::pp).pods == 4);
}

TEST_CASE("ten million GPUs cost no more than eight") {
    using Clock = std::chrono::steady_clock;
    for (const std::int64_t data : {128, 78'125}) {
        const Degrees degrees{.tp = 8, .dp = data, .pp = 16, .ep = 8, .nodes_per_pod = 384};
        const Setup setup = setup_of(degrees);
        const auto start = Clock::now();
        std::int64_t members = 0;
        for (int i = 0; i < 100; ++i) {
            const Result<Placement> placement = Placement::make(setup);
            for (const GroupKind kind : kGroupKinds) members += placement->reach(kind).members;
        }
        const double each = std::chrono::duration<double>(Clock::now() - start).count() / 100;
        CAPTURE(each, members);
        CHECK(each < 2e-3); // some microseconds in an optimised build on an idle machine
        CHECK(Placement::make(setup)->group_of(GroupKind::dp, setup.world() - 1).size() ==
              static_cast<std::size_t>(data));
    }
}
