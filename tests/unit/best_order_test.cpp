// SPDX-License-Identifier: GPL-3.0-or-later
// Best rank order, groups that cross tiers, and failures, on shipped presets.
#include "plans.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "report/best_order.h"
#include "report/crossings.h"
#include "report/failure.h"

using namespace shardlens;
using namespace shardlens::test;
using placement::GroupKind;
using placement::LinkClass;

namespace {

BestOrder orders_of(const Plan& plan) {
    Result<BestOrder> found = best_order(plan, catalog());
    if (!found) FAIL(found.error().line());
    return std::move(found).value();
}

FailureEffect failure_of(const Plan& plan, const Outage& outage) {
    Result<FailureEffect> effect = failure_effect(plan, catalog(), outage);
    if (!effect) FAIL(effect.error().line());
    return std::move(effect).value();
}

std::int64_t groups_hit(const FailureEffect& effect, GroupKind kind) {
    for (const LostGroups& lost : effect.groups)
        if (lost.kind == kind) return lost.groups;
    return 0;
}

} // namespace

TEST_CASE("the best order equals a look at every order, and brings tensor groups back into the node") {
    Plan plan = llama_70b();
    plan.parallel.rank_order = "dp-pp-tp-cp"; // tensor outermost: neighbours 8 GPUs apart
    const BestOrder found = orders_of(plan);
    CHECK(found.changed);
    CHECK(found.before.crossing[static_cast<std::size_t>(GroupKind::tp)] == 8);
    CHECK(found.best.crossing[static_cast<std::size_t>(GroupKind::tp)] == 0);
    CHECK(found.lost_s() > 0);
    CHECK(found.best.exposed_comm_s < found.before.exposed_comm_s);

    double fastest = 1e30;
    std::vector<std::string> axes = {"cp", "dp", "pp", "tp"};
    do {
        Plan other = plan;
        other.parallel.rank_order = axes[0] + "-" + axes[1] + "-" + axes[2] + "-" + axes[3];
        fastest = std::min(fastest, report_of(other)->time.step_s);
    } while (std::next_permutation(axes.begin(), axes.end()));
    CHECK(found.best.step_s == Approx(fastest));
    CHECK(report_of(found.plan)->time.step_s == Approx(fastest));
    // Three axes of more than one rank: 3! orders that differ.
    CHECK(found.orders.size() + static_cast<std::size_t>(found.refused) == 6);
    for (std::size_t i = 1; i < found.orders.size(); ++i)
        CHECK(found.orders[i - 1].step_s <= found.orders[i].step_s * (1 + 1e-9));
}

TEST_CASE("a plan that stands well keeps its order") {
    const BestOrder found = orders_of(llama_70b());
    CHECK(found.lost_s() < 0.001 * found.before.step_s);
    if (!found.changed) CHECK(found.plan == llama_70b());
    Plan single = llama_70b();
    single.parallel.tensor = single.parallel.pipeline = 1;
    single.parallel.sequence = false;
    const BestOrder alone = orders_of(single);
    CHECK_FALSE(alone.changed); // one axis: every order is the same
    CHECK(alone.orders.size() == 1);
    CHECK(alone.plan == single);
}

TEST_CASE("the search of orders says why it cannot") {
    CHECK(best_order(textbook_plan(textbook_70b(), 64), catalog()).error().where == "fidelity");
    Plan no_world = llama_70b();
    no_world.parallel.tensor = 5;
    CHECK(best_order(no_world, catalog()).error().where == "parallel");
}

TEST_CASE("tiers that groups cross, with bytes and times") {
    Plan plan = llama_70b(); // tensor 8 on a node; data and stages over nodes
    const auto inside = report_of(plan);
    for (const TierCrossing& crossing : tier_crossings(*inside)) {
        CHECK(crossing.kind != GroupKind::tp);
        CHECK(crossing.tier == Tier::node);
        CHECK(crossing.crossing == crossing.groups);
        CHECK(crossing.transfer_s > 0);
    }
    plan.parallel.rank_order = "dp-pp-tp-cp";
    const auto across = report_of(plan);
    const std::vector<TierCrossing> crossings = tier_crossings(*across);
    REQUIRE_FALSE(crossings.empty());
    const auto tensor = std::find_if(crossings.begin(), crossings.end(),
                                     [](const TierCrossing& c) { return c.kind == GroupKind::tp; });
    REQUIRE(tensor != crossings.end());
    CHECK(tensor->places == 8); // neighbours 8 GPUs apart
    CHECK(tensor->exposed_s == across->time.tensor_comm_s);
    // u = 1: every NIC carries (k − 1)/k of all payloads (schedules of two levels, one card per GPU).
    CHECK(tensor->busiest_link_bytes == Approx(7.0 / 8 * tensor->payload_bytes));
    CHECK(tensor->transfer_s ==
          Approx(tensor->busiest_link_bytes / across->setup->cluster.node.scale_out_bytes_per_s_per_gpu));
    for (std::size_t i = 1; i < crossings.size(); ++i)
        CHECK(crossings[i - 1].transfer_s >= crossings[i].transfer_s);
}

namespace {

TierCrossing crossing_of(const Report& report, GroupKind kind) {
    for (const TierCrossing& crossing : tier_crossings(report))
        if (crossing.kind == kind) return crossing;
    FAIL("these groups cross nothing");
    return {};
}

} // namespace

TEST_CASE("of a group that crosses tiers the link that takes longest is named") {
    // 256 replicas over two pods of 3072 GPUs, 128 in each: a NIC sends 255/256 of the payload, and a pod's
    // uplink, oversubscribed 7 : 1, is done with a group's part in 7/128 of that time.
    Plan pods = llama_70b();
    pods.cluster.node = "meta-24k-roce";
    pods.cluster.gpus = 8192;
    pods.training.global_batch_size = 512;
    const auto far = report_of(pods);
    const Node& roce = far->setup->cluster.node;
    REQUIRE(roce.nodes_per_pod * roce.gpus_per_node == 3072);
    REQUIRE(roce.oversubscription == 7);
    const TierCrossing data = crossing_of(*far, GroupKind::dp_cp);
    CHECK(data.tier == Tier::pod);
    CHECK(data.places == 2);
    CHECK(data.link == LinkClass::nic);
    CHECK(data.on_network);
    CHECK(data.busiest_link_bytes == Approx(255.0 / 256 * data.payload_bytes));
    CHECK(data.transfer_s == Approx(data.busiest_link_bytes / roce.scale_out_bytes_per_s_per_gpu));
    CHECK(data.transfer_s == far->traffic.of(GroupKind::dp_cp)->busy_s);

    // Tensor groups of 8 over two nodes of 4 in one NVL72 rack: 7/8 of the payload over NVLink.
    Plan rack = llama_70b();
    rack.cluster.node = "gb200-nvl72";
    const auto near = report_of(rack);
    const TierCrossing tensor = crossing_of(*near, GroupKind::tp);
    CHECK(tensor.tier == Tier::node);
    CHECK(tensor.places == 2);
    CHECK(tensor.link == LinkClass::scale_up);
    CHECK_FALSE(tensor.on_network);
    CHECK(tensor.busiest_link_bytes == Approx(7.0 / 8 * tensor.payload_bytes));
    CHECK(tensor.transfer_s ==
          Approx(tensor.busiest_link_bytes / near->setup->cluster.node.scale_up_bytes_per_s_per_gpu));
}

// The same payloads are timed and counted: volumes of the cost model stand in the traffic unchanged.
TEST_CASE("traffic counts the payloads that the cost model times") {
    const auto report = report_of(llama_70b());
    const placement::GroupVolumes& volumes = report->costs->volumes;
    CHECK(report->traffic.of(GroupKind::tp)->payload_bytes == volumes.tensor_bytes);
    CHECK(report->traffic.of(GroupKind::dp_cp)->payload_bytes == volumes.data_bytes);
    CHECK(report->traffic.of(GroupKind::pp)->payload_bytes == volumes.pipeline_bytes);
    // By hand: 20 layers a stage; per layer and micro-batch 2 all-gathers and 2 reduce-scatters forward, as
    // many backward, of 8192 · 8192 · 2 bytes; the first stage has the embedding's besides, the last the
    // head's.
    const double unit = 8192.0 * 8192 * 2, micro = static_cast<double>(report->setup->micro_batches);
    CHECK(volumes.tensor_bytes >= micro * 20 * 8 * unit);
    CHECK(volumes.tensor_bytes <= micro * (20 * 8 + 8) * unit);
    // Stage messages: the tensor ranks' eighth of the sequence each way and micro-batch.
    CHECK(volumes.pipeline_bytes == Approx(micro * 2 * unit / 8));
}

TEST_CASE("hybrid sharding: shards and replicas are counted apart") {
    Plan plan = llama_70b();
    plan.parallel.tensor = plan.parallel.pipeline = 1;
    plan.parallel.sequence = false;
    plan.parallel.zero = 1;
    plan.parallel.shard_group = 8;
    const auto report = report_of(plan);
    const placement::CollectiveTraffic* shard = report->traffic.of(GroupKind::dp_shard);
    const placement::CollectiveTraffic* replica = report->traffic.of(GroupKind::dp_replicate);
    REQUIRE(shard);
    REQUIRE(replica);
    CHECK(report->traffic.of(GroupKind::dp_cp) == nullptr);
    CHECK(shard->of(LinkClass::nic).bytes_per_step == 0); // 8 ranks on a node
    // An eighth of the gradients, all-reduced over 8 replicas: 2 · 7/8 of it through each card.
    const double gradients = report->setup->gradient_dtype == Dtype::fp32 ? 4 : 2;
    CHECK(replica->of(LinkClass::nic).busiest_link_bytes ==
          Approx(2 * 7.0 / 8 * gradients * report->model.parameters / 8).epsilon(0.001));
}

TEST_CASE("a node that fails takes its replicas with it") {
    const Plan plan = llama_70b(); // tensor 8 · pipeline 4 · data 2: a node is one stage of one replica
    const FailureEffect effect = failure_of(plan, {3, std::nullopt});
    CHECK(effect.ranks == std::vector<std::int64_t>{24, 25, 26, 27, 28, 29, 30, 31});
    CHECK(effect.ranks_lost);
    CHECK(effect.replicas == 2);
    CHECK(effect.replicas_lost == std::vector<std::int64_t>{1});
    CHECK(groups_hit(effect, GroupKind::tp) == 1);
    CHECK(groups_hit(effect, GroupKind::pp) == 8);
    CHECK(groups_hit(effect, GroupKind::dp) == 8);
    CHECK(effect.data_after == 1);
    CHECK(effect.after.cluster.gpus == 32);
    CHECK(effect.after.training.global_batch_size == plan.training.global_batch_size / 2);
    // Half the replicas do half the work; they save their gradient reduction.
    CHECK(effect.throughput_share() >= 0.5);
    CHECK(effect.throughput_share() < 0.6);
    CHECK(effect.tokens_per_s_after == Approx(report_of(effect.after)->time.tokens_per_s));

    // Data innermost: each node holds both replicas, so nothing is left.
    Plan spread = plan;
    spread.parallel.rank_order = "dp-tp-cp-pp";
    const FailureEffect all = failure_of(spread, {0, std::nullopt});
    CHECK(all.replicas_lost == std::vector<std::int64_t>{0, 1});
    CHECK(all.data_after == 0);
    CHECK(all.throughput_share() == 0);
}

TEST_CASE("a port that fails slows the node's network traffic, and with it the step") {
    const Plan plan = llama_70b();
    const FailureEffect effect = failure_of(plan, {0, 2});
    CHECK(effect.ranks == std::vector<std::int64_t>{2});
    CHECK_FALSE(effect.ranks_lost);
    CHECK(effect.replicas_lost.empty());
    CHECK(groups_hit(effect, GroupKind::tp) == 0); // stays on its node
    CHECK(groups_hit(effect, GroupKind::pp) == 1);
    CHECK(groups_hit(effect, GroupKind::dp) == 1);
    CHECK(effect.data_after == 2);
    CHECK(effect.step_s_after > effect.step_s_before);
    CHECK(effect.throughput_share() < 1);

    Plan one_node = plan;
    one_node.cluster.gpus = 8;
    one_node.parallel.pipeline = 1;
    one_node.parallel.data.reset();
    const FailureEffect nothing = failure_of(one_node, {0, 2});
    CHECK(nothing.groups.empty());
    CHECK(nothing.throughput_share() == 1);

    CHECK(failure_effect(plan, catalog(), {8, std::nullopt}).error().what ==
          "node 8 does not exist; the cluster has nodes 0 to 7");
    CHECK(failure_effect(plan, catalog(), {0, 8}).error().where == "nic");
}

TEST_CASE("all orders of a large plan take a moment") {
    Result<Plan> plan = catalog().plan("llama3-405b-16384xh100");
    REQUIRE(plan.ok());
    const auto start = std::chrono::steady_clock::now();
    const BestOrder found = orders_of(*plan);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    CAPTURE(seconds, found.orders.size());
    CHECK(seconds < 3); // tens of milliseconds on an idle machine
    CHECK(found.best.step_s <= found.before.step_s);
}
