// SPDX-License-Identifier: GPL-3.0-or-later
// Rings, parameter servers and placed collectives: worked figures of the literature and hand calculations.
#include "cost/collectives.h"
#include "detailed_plans.h"

using namespace shardlens;
using namespace shardlens::test;
using placement::Reach;

namespace {

Reach inside(std::int64_t n) { return {n, n, 1, n, 1, 1, 1, false}; }
Reach across(std::int64_t n, std::int64_t k) { return {n, k, n / k, k, n / k, 1, 8 / k, true}; }

} // namespace

TEST_CASE("ring all-reduce of a 7B model over eight cards") {
    const double bytes = cost::ring_all_reduce_bytes(8.0, 14e9);
    CHECK(bytes == Approx(24.5e9));
    CHECK(bytes / 400e9 == Approx(0.061).epsilon(0.01));
    CHECK(bytes / 32e9 == Approx(0.77).epsilon(0.01));
}

TEST_CASE("tensor parallelism of 175B: one tensor, one pass, one micro-batch") {
    const double tensor = 2048.0 * 12288 * 2;
    CHECK(tensor == Approx(50.3e6).epsilon(0.001));
    CHECK(2 * tensor == Approx(100e6).epsilon(0.01)); // the ring's limit for many ranks
    CHECK(cost::ring_all_reduce_bytes(8.0, tensor) == Approx(88e6).epsilon(0.01));
    const double forward = 96 * 2 * tensor;
    CHECK(forward == Approx(9.7e9).epsilon(0.01));
    const double all = 4 * forward; // two per layer, forward and backward
    CHECK(all == Approx(38.7e9).epsilon(0.01));
    CHECK(all / 400e9 == Approx(0.097).epsilon(0.01));
    CHECK(all / 50e9 == Approx(0.77).epsilon(0.01));
}

TEST_CASE("a parameter server carries n times what a ring does") {
    // 70e9 parameters over tensor 8 and pipeline 8, bf16 gradients, eight replicas on 50 GB/s.
    const double bytes = 70e9 * 2 / 64;
    CHECK(cost::ring_all_reduce_bytes(8.0, bytes) == Approx(3.83e9).epsilon(0.001));
    CHECK(cost::ring_all_reduce_bytes(8.0, bytes) / 50e9 == Approx(76.6e-3).epsilon(0.001));
    CHECK(cost::parameter_server_bytes(8.0, bytes) == Approx(30.6e9).epsilon(0.001));
    CHECK(cost::parameter_server_bytes(8.0, bytes) == Approx(8 * cost::ring_all_reduce_bytes(8.0, bytes)));
    CHECK(cost::ring_half_bytes(8.0, bytes) == Approx(cost::ring_all_reduce_bytes(8.0, bytes) / 2));
}

TEST_CASE("an all-gather inside an H100 node reaches the bus bandwidth that nccl-tests print") {
    const Setup setup = setup_of(llama_70b());
    const double bytes = 8e9;
    const double bus = cost::ring_half_bytes(8.0, bytes) / cost::gather_time<double>(setup, inside(8), bytes);
    CHECK(bus > 290e9); // below the link's 450 GB/s, near the 361 GB/s that eight H100 show
    CHECK(bus < 400e9);
    const double reduce = cost::all_reduce_time<double>(setup, inside(8), bytes);
    CHECK(reduce < 2 * cost::gather_time<double>(setup, inside(8), bytes)); // in-switch reduction
    CHECK(cost::ring_all_reduce_bytes(8.0, bytes) / reduce < 520e9);
}

TEST_CASE("small messages cost latency: tens of microseconds, more across nodes") {
    const Setup setup = setup_of(llama_70b());
    const double node = cost::gather_time<double>(setup, inside(8), 64e3);
    CHECK(node > 8e-6);
    CHECK(node < 40e-6);
    CHECK(cost::gather_time<double>(setup, across(64, 8), 64e3) > 2 * node);
}

TEST_CASE("a group with k members on a node drives k NICs") {
    const Setup setup = setup_of(llama_70b());
    const double one = cost::gather_time<double>(setup, across(16, 1), 8e9);
    const double two = cost::gather_time<double>(setup, across(16, 2), 8e9);
    const double eight = cost::gather_time<double>(setup, across(16, 8), 8e9);
    CHECK(one > two);
    CHECK(two > eight);
    CHECK(one / eight > 3);
    // Never faster than the NICs that its members drive.
    CHECK(eight > 8e9 * 15 / 16 / (8 * setup.cluster.node.scale_out_bytes_per_s_per_gpu));
}

TEST_CASE("one rank, no bytes: no time") {
    const Setup setup = setup_of(llama_70b());
    CHECK(cost::gather_time<double>(setup, inside(1), 1e9) == 0);
    CHECK(cost::all_reduce_time<double>(setup, inside(8), 0.0) == 0);
    CHECK(cost::all_to_all_time<double>(setup, inside(1), 1e9) == 0);
}

TEST_CASE("an all-to-all that leaves the domain is bound by the network; de-duplication sends less") {
    Setup setup = setup_of(llama_70b());
    const double in = cost::all_to_all_time<double>(setup, inside(8), 1e9);
    const double out = cost::all_to_all_time<double>(setup, across(64, 8), 1e9);
    CHECK(out > 4 * in);
    setup.stack.expert_deduplication = true;
    const double once = cost::all_to_all_time<double>(setup, across(64, 8), 1e9, 8);
    // Eight copies over eight nodes reach 8 · (1 − (7/8)^8) = 5.25 nodes instead of 8 copies.
    CHECK(once < out);
    CHECK(once > 0.6 * out);
}

TEST_CASE("inside a domain a token goes once to a rank that holds several of its experts") {
    Setup setup = setup_of(llama_70b());
    setup.stack.expert_deduplication = false;
    const double every = cost::all_to_all_time<double>(setup, inside(8), 8e9, 8);
    setup.stack.expert_deduplication = true;
    const double once = cost::all_to_all_time<double>(setup, inside(8), 8e9, 8);
    CHECK(once / every == Approx(1 - std::pow(7.0 / 8, 8)).epsilon(0.02)); // 5.25 ranks for eight copies
}

TEST_CASE("an all-to-all over AWS EFA sends every copy and waits for its messages") {
    Setup setup = setup_of(llama_70b());
    setup.stack.expert_deduplication = true;
    const double infiniband = cost::all_to_all_time<double>(setup, across(64, 8), 1e8, 8);
    setup.cluster.node.efa = true;
    const double efa = cost::all_to_all_time<double>(setup, across(64, 8), 1e8, 8);
    CHECK(efa > infiniband);
    CHECK(cost::all_to_all_time<double>(setup, across(64, 8), 1e3, 8) > 0.5 * setup.architecture.efa_stall_s);
    // Messages and bytes flow at the same time.
    const double double_efa = cost::all_to_all_time<double>(setup, across(64, 8), 2e8, 8);
    CHECK(double_efa < 2 * efa);
}

TEST_CASE("a message to the next stage is slower over the network") {
    const Setup setup = setup_of(llama_70b());
    const double bytes = 8192.0 * 8192 * 2 / 8;
    const double near = cost::point_to_point_time<double>(setup, false, bytes);
    const double far = cost::point_to_point_time<double>(setup, true, bytes);
    CHECK(near > bytes / 450e9);
    CHECK(far > bytes / 50e9);
    CHECK(far > near);
}

TEST_CASE("racks: ranks come in segments of 64, so a group of 32 stays inside one rack of 72") {
    Plan plan = detailed_plan({}, "gb200-nvl72", 256);
    plan.model = std::string("qwen3-235b-a22b");
    plan.stack = "megatron-bridge";
    plan.parallel.expert = 32;
    plan.parallel.pipeline = 8;
    const Setup setup = setup_of(plan);
    const auto placed = placement::Placement::make(setup);
    REQUIRE(placed.ok());
    const Reach reach = cost::reach_of(setup, &*placed, placement::GroupKind::ep, 32);
    CHECK(reach.domains == 1);
    CHECK(reach.members_per_domain == 32);
}
