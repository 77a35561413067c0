// SPDX-License-Identifier: GPL-3.0-or-later
// BMTrain 1.0 (bmtrain/pipe_layer.py): what its pipeline asks of a batch.
#include <array>

#include "rules/support.h"

namespace shardlens::rules {

namespace {

/// Samples that a data rank's pipeline takes in a step.
std::int64_t samples(const Setup& s) { return product({s.micro_batches, s.plan.training.micro_batch_size}); }

constexpr std::array kRules = {
    // Every rank of a pipeline brings its own part of the batch, and these are gathered.
    Rule{"bmtrain-pipeline-batch", "training.global_batch_size", "bmtrain", Severity::error,
         [](const Setup& s) { return s.pipeline > 1 && samples(s) % s.pipeline != 0; },
         [](const Setup& s, Message& message) {
             say(message, "BMTrain's {0} pipeline ranks must bring equal parts of the {1} samples of a step",
                 s.pipeline, samples(s));
             for (const std::int64_t count : near_multiples(s.pipeline, s.micro_batches))
                 propose(message,
                         {{"training.global_batch_size", product({count, samples_per_micro_batch(s)})}});
         }},
};

} // namespace

std::span<const Rule> bmtrain_rules() { return kRules; }

} // namespace shardlens::rules
