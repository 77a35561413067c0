// SPDX-License-Identifier: GPL-3.0-or-later
// A report made by hand, so that what the views show can be compared with numbers that stand here.
#pragma once

#include <memory>

#include "catch.h"
#include "pipeline/simulate.h"
#include "report/report.h"

namespace shardlens {

inline constexpr double kSampleGib = 1024.0 * 1024.0 * 1024.0;

struct SampleSizes {
    int gpus = 64, tensor = 8, pipeline = 4, microBatches = 8;
    int nodesPerPod = 0;
};

/// Stage i: 4 + 9 + 7 + (20 − 5·i) + (last: 6) + 3 + 2 + 3 GiB; a step of 14.5 s.
inline std::shared_ptr<Report> sampleReport(const SampleSizes& sizes = {}) {
    auto report = std::make_shared<Report>();
    report->memory.capacity_bytes = 80 * kSampleGib;
    report->memory.usable_bytes = 72 * kSampleGib;
    for (int i = 0; i < sizes.pipeline; ++i) {
        memory::StageLedger<double> stage;
        stage.stage = i;
        stage.parameters_bytes = 4 * kSampleGib;
        stage.gradients_bytes = 9 * kSampleGib;
        stage.optimizer_bytes = 7 * kSampleGib;
        stage.activations_bytes = std::max(1, 20 - 5 * i) * kSampleGib;
        stage.logits_bytes = i + 1 == sizes.pipeline ? 6 * kSampleGib : 0;
        stage.buffers_bytes = 3 * kSampleGib;
        stage.fragmentation_bytes = 2 * kSampleGib;
        stage.context_bytes = 3 * kSampleGib;
        stage.total_bytes = 28 * kSampleGib + stage.activations_bytes + stage.logits_bytes;
        report->memory.stages.push_back(stage);
    }
    report->memory.peak_bytes = report->memory.stages[0].total_bytes;
    report->memory.need_bytes = report->memory.peak_bytes - 2 * kSampleGib;

    auto& time = report->time;
    time.forward_s = 4;
    time.backward_s = 7;
    time.tensor_comm_s = 1;
    time.bubble_s = 1.5;
    time.data_comm_s = 0.5;
    time.optimizer_s = 0.25;
    time.other_s = 0.25;
    time.step_s = 14.5;

    pipeline::ScheduleSpec spec;
    spec.ranks = sizes.pipeline;
    spec.micro_batches = sizes.microBatches;
    auto schedule = pipeline::make_schedule(spec);
    REQUIRE(schedule);
    pipeline::Costs costs;
    costs.stages = {{1, 1, 1, -1}}; // forward 1 s, whole backward 2 s
    auto timeline = pipeline::simulate(*schedule, costs, true);
    REQUIRE(timeline);
    report->timeline = std::make_shared<pipeline::Timeline>(*timeline);
    time.bubble_fraction = timeline->bubble_fraction;
    // 1F1B holds p − i micro-batches on stage i: 20, 15, 10, 5 GiB.
    report->chunk_activation_bytes.assign(static_cast<std::size_t>(sizes.pipeline), 5 * kSampleGib);

    auto setup = std::make_shared<Setup>();
    setup->cluster.gpus = sizes.gpus;
    setup->cluster.node.gpus_per_node = 8;
    setup->cluster.node.scale_up_domain = 8;
    setup->cluster.node.nodes_per_pod = sizes.nodesPerPod;
    setup->tensor = sizes.tensor;
    setup->pipeline = sizes.pipeline;
    setup->data = sizes.gpus / sizes.tensor / sizes.pipeline;
    setup->micro_batches = sizes.microBatches;
    report->setup = setup;
    auto placed = placement::Placement::make(*setup);
    REQUIRE(placed);
    report->placement = std::make_shared<placement::Placement>(*placed);
    return report;
}

} // namespace shardlens
