// SPDX-License-Identifier: GPL-3.0-or-later
// BMTrain 1.0: init.py calls bmtrain.init_distributed (bmtrain/init.py); blocks, batches and optimizers are
// the user's own.
#include <fmt/format.h>

#include "launchers/common.h"
#include "launchers/findings.h"
#include "launchers/makers.h"
#include "plan/fields.h"
#include "rules/launcher_schedule.h"

namespace shardlens::launchers {

namespace {

void list_differences(const Setup& setup, Export& result) {
    const auto differs = [&](const char* path, std::string instead) {
        result.not_expressed.push_back({path, std::move(instead)});
    };
    const MemoryOptions& memory = setup.plan.memory;
    const Training& training = setup.plan.training;
    if (setup.zero < 2 && setup.world() == 1) // on more ranks they are refused
        differs("parallel.zero", "one replica: there is nothing to shard");
    if (setup.zero == 3 && setup.pipeline > 1) // pipe_layer.py
        differs("parallel.zero", "ZeRO 2: the pipeline of BMTrain keeps the parameters after the forward");
    if (setup.zero == 2 && setup.pipeline == 1)
        differs("parallel.zero", "build every block with zero_level=2 in your program");
    if (rules::schedule_instead(setup, "bmtrain"))
        differs("parallel.schedule",
                fmt::format("BMTrain runs gpipe instead of {}", to_string(setup.schedule)));
    if (setup.pipeline > 1 &&
        (setup.shape.layers % setup.pipeline != 0 || !setup.plan.parallel.layers_per_stage.empty()))
        differs("parallel.layers_per_stage", "BMTrain splits the blocks evenly, extra ones first");
    if (setup.tensor > 1)
        differs("parallel.tensor",
                "build column- and row-parallel layers for the tensor ranks in your program");
    if (setup.sequence)
        differs("parallel.sequence", "norms and dropout work on whole sequences on every tensor rank");
    if (memory.recompute == Recompute::none)
        differs("memory.recompute", "build every block with use_checkpoint=False in your program");
    else if (memory.recompute == Recompute::selective)
        differs("memory.recompute", "every block is recomputed as a whole");
    else if (memory.recompute_layers > 0)
        differs(
            "memory.recompute_layers",
            fmt::format(
                "build all but the first {} blocks of each rank with use_checkpoint=False in your program",
                memory.recompute_layers));
    if (memory.offload_optimizer != Offload::none)
        differs("memory.offload_optimizer", "use bmtrain.optim.AdamOffloadOptimizer in your program");
    if (memory.offload_parameters != Offload::none)
        differs("memory.offload_parameters", "parameters stay on the GPU");
    if (memory.offload_activations != Offload::none)
        differs("memory.offload_activations", "activations stay on the GPU");
    differs("training.precision",
            fmt::format("build the parameters in {} in your program", to_string(training.precision)));
    if (setup.gradient_dtype != working_dtype(setup))
        differs("training.gradient_dtype", "gradients have the training precision");
    differs("training.optimizer",
            fmt::format("give an optimizer ({}) to bmtrain's OptimManager in your program",
                        to_string(training.optimizer)));
    differs("training.global_batch_size",
            setup.pipeline > 1
                ? fmt::format(
                      "feed {} samples per process and step in your program; the pipeline gathers them and "
                      "cuts them into micro-batches",
                      setup.micro_batches * training.micro_batch_size / setup.pipeline)
                : fmt::format("feed {} samples at a time and accumulate {} times in your program",
                              training.micro_batch_size, setup.micro_batches));
    Findings{setup, result}.model_in_program();
    Findings{setup, result}.attention_in_program();
    if (!same_placement(setup, "tp-cp-ep-dp-pp"))
        differs("parallel.rank_order",
                "ranks land in BMTrain's order: tensor neighbours first, then data, then "
                "pipeline");
}

} // namespace

Export make_bmtrain(const Setup& setup, const Report&, std::string_view version) {
    Export result;
    check_hosts(setup, result);
    list_differences(setup, result);
    const std::string target = fmt::format("bmtrain@{}", version);
    add_refusals(setup, target, result);
    if (!result.refusals.empty()) return result;
    std::string text =
        fmt::format("# {}, for BMTrain {} ({})\n",
                    setup.plan.name.empty() ? "a plan" : comment_text(setup.plan.name), version, target);
    text += "# Import it first in your program. torchrun sets RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and "
            "MASTER_PORT.\n";
    for (const NotExpressed& item : result.not_expressed)
        text += fmt::format("# Not in this file: {}: {}\n", item.path, comment_text(item.instead));
    text += "import bmtrain as bmt\n\nbmt.init_distributed(\n    seed=1234,\n";
    // Without a pipeline the argument must stay away: any positive size turns the pipeline's groups on.
    if (setup.pipeline > 1)
        text += fmt::format("    pipe_size={},\n    num_micro_batches={},\n", setup.pipeline,
                            setup.micro_batches);
    text += fmt::format("    tp_size={},\n)\n", setup.tensor);
    result.files.push_back({"init.py", text, false});
    add_launch_files(
        setup, target,
        "export PYTHONPATH=\"$here${PYTHONPATH:+:$PYTHONPATH}\"\n" + torchrun_lines() +
            "    \"${TRAIN_SCRIPT:?set TRAIN_SCRIPT to the training program that imports init}\"\n",
        result);
    return result;
}

} // namespace shardlens::launchers
