// SPDX-License-Identifier: GPL-3.0-or-later
// What a checkpoint takes, against closed forms: bytes per parameter by stack, shared by the ranks that share
// the states.
#include "detailed_plans.h"

using namespace shardlens;
using namespace shardlens::test;

namespace {

constexpr double kEightB = 8030261248.0; // Meta's published count

Plan eight_b(const std::string& stack, std::int64_t gpus, std::int64_t zero) {
    Plan plan = detailed_plan({}, "dgx-h100", gpus);
    plan.model = std::string("llama3-8b");
    plan.stack = stack;
    plan.parallel.zero = zero;
    return plan;
}

bool says(const Report& report, const std::string& code) {
    for (const Message& message : report.messages)
        if (message.code == code) return message.severity == Severity::info;
    return false;
}

} // namespace

TEST_CASE("a fully sharded checkpoint is fp32 weights and two moments, a part on every rank") {
    const auto report = report_of(eight_b("fsdp", 64, 3));
    const auto& c = report->checkpoint;
    CHECK(c.file_bytes == 12 * kEightB);
    CHECK(c.save_host_bytes == Approx(12 * kEightB / 64).epsilon(1e-6));
    CHECK(c.gather_host_bytes == 4 * kEightB);
    CHECK(c.load_host_bytes == 8 * 4 * kEightB); // eight ranks on a node
    const auto& s = report->memory.stages.front();
    const double states = s.parameters_bytes + s.gradients_bytes + s.optimizer_bytes;
    // Beside the states and the context: the rank's part once more, or the fp32 embedding of 128256 · 4096.
    CHECK(c.load_device_bytes - states - s.context_bytes == Approx(12 * kEightB / 64).epsilon(1e-6));
    CHECK(c.save_device_bytes - states - s.context_bytes == Approx(4.0 * 128256 * 4096));
}

TEST_CASE("Megatron's checkpoint holds 16-bit weights, the fp32 copy and two moments") {
    Plan plan = eight_b("megatron-core", 64, 1);
    auto report = report_of(plan);
    CHECK(report->checkpoint.file_bytes == 14 * kEightB);
    // The vocabulary is padded to a multiple of 128, which 128256 is.
    CHECK(report->checkpoint.save_host_bytes == Approx(2 * kEightB + 12 * kEightB / 64).epsilon(1e-6));
    CHECK(report->checkpoint.gather_host_bytes == 2 * kEightB);
    plan.training.optimizer_dtype = Dtype::bf16;
    report = report_of(plan);
    CHECK(report->checkpoint.file_bytes == (2 + 4 + 2 + 2) * kEightB);
}

TEST_CASE("what is offloaded is saved, but not read onto the device") {
    Plan plan = eight_b("deepspeed", 8, 2);
    const auto here = report_of(plan);
    plan.memory.offload_optimizer = Offload::cpu;
    const auto offloaded = report_of(plan);
    CHECK(offloaded->checkpoint.save_host_bytes == here->checkpoint.save_host_bytes);
    // Neither the optimizer's 12 bytes nor their second copy is on the device.
    CHECK(here->checkpoint.load_device_bytes - offloaded->checkpoint.load_device_bytes ==
          Approx(here->memory.stages.front().optimizer_bytes + 12 * kEightB / 8).epsilon(1e-6));
}

TEST_CASE("a checkpoint that has no room is told, and leaves verdict and peak alone") {
    Plan plan = eight_b("fsdp", 2, 3);
    plan.training.sequence_length = 1024;
    plan.memory.recompute = Recompute::full;
    auto report = report_of(plan);
    // 16 bytes per parameter on two GPUs are 60 GiB, 12 more are 45: together past 79.
    REQUIRE(report->verdict != Verdict::does_not_fit);
    CHECK(says(*report, "checkpoint-load-device"));
    CHECK(report->memory.need_bytes < report->checkpoint.load_device_bytes);
    CHECK(report->valid);
    CHECK_FALSE(says(*report, "checkpoint-save-host"));

    plan.cluster.host_memory_bytes = 64e9; // 96 GB on two GPUs
    report = report_of(plan);
    CHECK(says(*report, "checkpoint-save-host"));
    CHECK(report->verdict != Verdict::does_not_fit);

    report = report_of(eight_b("fsdp", 64, 3));
    for (const Message& message : report->messages) CHECK(message.code.rfind("checkpoint", 0) != 0);
}

TEST_CASE("whole weights that no host holds are told where ranks share them") {
    Plan plan = eight_b("fsdp", 16384, 3);
    plan.model = std::string("llama3.1-405b"); // 4 · 406e9 bytes on a host of 2 TiB, but not eight times
    plan.training.global_batch_size = 16384;
    auto report = report_of(plan);
    CHECK(says(*report, "checkpoint-load-host"));
    CHECK_FALSE(says(*report, "checkpoint-gather-host"));
    plan.model = std::string("deepseek-v3"); // 4 · 671e9
    report = report_of(plan);
    CHECK(says(*report, "checkpoint-gather-host"));
    plan.parallel.zero = 1;
    report = report_of(plan);
    CHECK_FALSE(says(*report, "checkpoint-gather-host"));
}

TEST_CASE("the textbook knows no checkpoint") {
    Plan plan = eight_b("generic", 64, 3);
    plan.fidelity = Fidelity::textbook;
    const auto report = report_of(plan);
    CHECK(report->checkpoint.file_bytes == 0);
    CHECK(report->checkpoint.load_device_bytes == 0);
}
