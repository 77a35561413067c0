// SPDX-License-Identifier: GPL-3.0-or-later
// What is read out of a training log. The logs of tests/data/logs were written by hand after the launchers'
// own print statements (core/calibrate/log_shapes.cpp names them); the expected values follow from the
// numbers put into them, by hand.
#include <cmath>
#include <ctime>
#include <fstream>
#include <iterator>
#include <random>

#include "calibrate/log.h"
#include "catch.h"

using namespace shardlens;
using namespace shardlens::calibrate;

namespace {

constexpr double kMiB = 1024.0 * 1024.0, kGiB = 1024.0 * kMiB, kNone = -1;

/// 64 samples of 2048 tokens on 8 GPUs.
const StepBatch kBatch{64, 16384};

struct Row {
    const char* name;
    const char* format;
    double global_batch; ///< as printed in the log
    std::size_t steps, other_batch, warmup, outliers;
    double step_s, allocated, reserved;
};

const Row kRows[] = {
    // 19.0 and 4.6 s are the start, 6.1 s has the checkpoint in it; 4.001 … 4.007 remain
    {"megatron-lm", "Megatron-LM", 128, 10, 0, 2, 1, 4.004, 40960.5 * kMiB, 45056 * kMiB},
    {"megatron-rampup", "Megatron-LM", 128, 8, 4, 0, 0, 2.415, kNone, kNone},
    {"megatron-bridge", "Megatron-Bridge", 256, 6, 0, 1, 0, 2.501, 50.25e9, 70.25e9},
    {"nemo", "NeMo", 8, 6, 0, 2, 0, 1.5045, kNone, kNone},
    {"nemo-progress-bar", "NeMo", kNone, 6, 0, 1, 0, 3.14, kNone, kNone},
    // 16384 tokens at 8192 a second; the slower of the two ranks counts; step 30 has the validation's
    // clean-up
    {"torchtitan", "torchtitan", kNone, 6, 0, 1, 1, 2.0, kNone, 47.5 * kGiB},
    // 64 samples at 16 a second; Max_CA is from before the training and below the later allocated peak
    {"deepspeed", "DeepSpeed", kNone, 5, 0, 1, 0, 4.0, 30.27 * kGiB, kNone},
    {"deepspeed-pipeline", "DeepSpeed", kNone, 4, 0, 1, 0, 4.125, 20.5 * kGiB, kNone},
    {"megatron-deepspeed", "Megatron-DeepSpeed", 768, 4, 0, 1, 0, 14.05, 19.52 * kGiB, 22528 * kMiB},
    {"nanotron", "nanotron", kNone, 5, 0, 1, 0, 1.695, 5005.25 * kMiB, 7168 * kMiB},
    {"nanotron-2024", "nanotron", kNone, 4, 0, 1, 0, 0.986, 23560.26 * kMiB, 24574 * kMiB},
    // 16384 tokens at 4096 a second; the second step is 6 % slower than the rest
    {"internevo", "InternEvo", kNone, 5, 0, 1, 1, 4.0, kNone, kNone},
    {"llm-foundry", "LLM Foundry", kNone, 4, 0, 1, 0, 8.0, 30.25e9, 37.5e9},
};

std::string log_text(const std::string& name) {
    std::ifstream file(data_file("logs/" + name + ".log"), std::ios::binary);
    REQUIRE(file);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::optional<StepBatch> batch_of(const Row& row) {
    return StepBatch{row.global_batch > 0 ? row.global_batch : kBatch.samples, kBatch.tokens_per_gpu};
}

double bytes(const std::optional<MemoryPeak>& peak) { return peak ? peak->bytes : kNone; }

void check(const TrainingLog& log, const Row& row) {
    CHECK(log.format == row.format);
    CHECK(log.global_batch.value_or(kNone) == row.global_batch);
    CHECK(log.steps_read == row.steps);
    CHECK(log.other_batch_skipped == row.other_batch);
    CHECK(log.warmup_skipped == row.warmup);
    CHECK(log.outliers_skipped == row.outliers);
    REQUIRE(log.step_s);
    CHECK(*log.step_s == Approx(row.step_s).epsilon(1e-9));
    CHECK(log.step_lines.size() == row.steps - row.other_batch - row.warmup - row.outliers);
    CHECK(bytes(log.allocated) == Approx(row.allocated));
    CHECK(bytes(log.reserved) == Approx(row.reserved));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

std::string error_of(std::string_view text, const std::optional<StepBatch>& batch = std::nullopt) {
    const auto log = read_training_log(text, "run.log", batch);
    REQUIRE_FALSE(log.ok());
    CHECK(log.error().line().find('\n') == std::string::npos);
    return log.error().line();
}

std::string megatron_line(int iteration, double ms) {
    return " iteration " + std::to_string(iteration) +
           "/ 100 | elapsed time per iteration (ms): " + std::to_string(ms) + " | loss scale: 1.0 |\n";
}

} // namespace

TEST_CASE("Every known launcher's log gives step time and memory") {
    for (const Row& row : kRows) {
        INFO(row.name);
        const auto log = read_training_log(log_text(row.name), row.name, batch_of(row));
        REQUIRE(log.ok());
        check(*log, row);
    }
}

TEST_CASE("Line ends, colours and rank prefixes change nothing") {
    for (const Row& row : kRows) {
        INFO(row.name);
        const std::string text = log_text(row.name);
        const auto plain = read_training_log(text, row.name, batch_of(row));
        for (const std::string& dressed :
             {replaced(text, "\n", "\r\n"), replaced(text, "\n", "\x1b[0m\n\x1b[1;33m"),
              replaced(text, "\n", "\n12: ")}) {
            const auto log = read_training_log(dressed, row.name, batch_of(row));
            REQUIRE(log.ok());
            check(*log, row);
            CHECK(log->step_lines == plain->step_lines);
        }
    }
}

TEST_CASE("A log says which lines its numbers came from") {
    const auto log = read_training_log(log_text("megatron-lm"), "megatron-lm");
    REQUIRE(log.ok());
    CHECK(log->step_lines == std::vector<std::size_t>{10, 11, 12, 16, 17, 18, 19});
    CHECK(log->allocated->line == 7); // which two ranks wrote
    CHECK(log->allocated->rank == 0);
    CHECK(log->reserved->line == 7);
    CHECK(log->step_account() ==
          "4.004 s: median of 7 of 10 steps in a log of Megatron-LM; lines 10 to 19; 2 of the "
          "warm-up left out; 1 too far from the others left out");
    const auto bridge = read_training_log(log_text("megatron-bridge"), "megatron-bridge");
    CHECK(bridge->allocated->rank == 0);
    CHECK(bridge->reserved->rank == 8);
    const auto titan = read_training_log(log_text("torchtitan"), "torchtitan", kBatch);
    CHECK(titan->reserved->rank == 1);
}

TEST_CASE("A log may end anywhere in its last line") {
    for (const Row& row : kRows) {
        const std::string text = log_text(row.name);
        const auto whole = read_training_log(text, row.name, batch_of(row));
        // The ramp-up has few steps of the last batch: there the file may only end in its last lines.
        const std::size_t from = text.size() * (row.other_batch > 0 ? 9 : 7) / 10;
        for (std::size_t length = from; length < text.size(); ++length) {
            INFO(row.name << " cut after " << length << " of " << text.size() << " bytes");
            const auto log =
                read_training_log(std::string_view(text).substr(0, length), row.name, batch_of(row));
            REQUIRE(log.ok());
            REQUIRE(std::abs(*log->step_s / *whole->step_s - 1) < 0.02);
            REQUIRE(bytes(log->allocated) <= bytes(whole->allocated));
        }
    }
}

TEST_CASE("Iteration times alone, memory alone and one line alone are enough") {
    const auto times = read_training_log(megatron_line(1, 900) + megatron_line(2, 500), "x");
    REQUIRE(times.ok());
    CHECK(*times->step_s == Approx(0.5));
    CHECK_FALSE(times->allocated);
    CHECK_FALSE(times->reserved);

    const auto memory = read_training_log(
        "MA 3.21 GB         Max_MA 14.4 GB         CA 14.5 GB         Max_CA 15 GB \n", "x");
    REQUIRE(memory.ok());
    CHECK_FALSE(memory->step_s);
    CHECK(memory->format == "DeepSpeed");
    CHECK(bytes(memory->allocated) == Approx(14.4 * kGiB));
    CHECK(bytes(memory->reserved) == Approx(15 * kGiB));
    CHECK(memory->step_account() == "no step times, only memory (DeepSpeed)");

    const auto pasted = read_training_log("Step Time : 4.51s GPU utilization: 550.1MODEL_TFLOP/s/GPU", "x");
    REQUIRE(pasted.ok());
    CHECK(*pasted->step_s == Approx(4.51));
    CHECK(pasted->steps_read == 1);
}

TEST_CASE("A second start in the same file warms up again") {
    std::string text;
    for (const int run : {0, 1, 2})
        for (int i = 1; i <= 20; ++i)
            text += megatron_line(run * 5 + i, i == 1 ? 8000 : i == 2 ? 700 : 500 + i);
    const auto log = read_training_log(text, "x");
    REQUIRE(log.ok());
    CHECK(log->steps_read == 60);
    CHECK(log->warmup_skipped == 6);
    CHECK(log->outliers_skipped == 0);
    CHECK(*log->step_s == Approx(0.5115)); // between 511 and 512 ms
}

TEST_CASE("Numbers that are none are passed over") {
    const std::string good = megatron_line(1, 500) + megatron_line(2, 500) + megatron_line(3, 500);
    for (const char* odd : {"nan", "inf", "-5", "0", "0.0", "1e999", "", "|", ".", "e5", "--"}) {
        INFO(odd);
        const auto log = read_training_log(
            good + " iteration 4/ 100 | elapsed time per iteration (ms): " + odd + " | loss scale: 1.0 |\n",
            "x");
        REQUIRE(log.ok());
        CHECK(log->steps_read == 3);
        CHECK(*log->step_s == Approx(0.5));
    }
}

TEST_CASE("What cannot be read is refused with one line") {
    CHECK(error_of("") == "run.log: is empty; the output of a training run is right");
    CHECK(error_of(log_text("unknown")) ==
          "run.log: holds no iteration time and no memory peak; lines of Megatron-LM, Megatron-Bridge, NeMo, "
          "nanotron, DeepSpeed, LLM Foundry, torchtitan, InternEvo are known");
    CHECK(error_of(std::string("\xff\xfe") + "a").find("UTF-16") != std::string::npos);
    CHECK(error_of(log_text("torchtitan")) == "run.log:3: torchtitan prints tokens per second; for a step "
                                              "time the plan's tokens per GPU and step must "
                                              "be known");
    CHECK(error_of(log_text("deepspeed")) == "run.log:4: DeepSpeed prints samples per second; for a step "
                                             "time the plan's global batch must be known");
    CHECK(error_of(log_text("megatron-lm"), StepBatch{256, 1}) ==
          "run.log:19: the run's global batch is 128, the plan's is 256; a log of the planned run is right");
}

TEST_CASE("A log that prints steps per second needs no batch") {
    const auto log = read_training_log(log_text("llm-foundry"), "x");
    REQUIRE(log.ok());
    CHECK(*log->step_s == Approx(8.0));
}

TEST_CASE("A plan says what one step works on") {
    Plan plan;
    plan.training.global_batch_size = 64;
    plan.training.sequence_length = 2048;
    plan.cluster.gpus = 8;
    CHECK(step_batch(plan).samples == kBatch.samples);
    CHECK(step_batch(plan).tokens_per_gpu == kBatch.tokens_per_gpu);
}

TEST_CASE("Damaged logs are read or refused, never more") {
    std::mt19937 random(20260302);
    for (const Row& row : kRows) {
        const std::string text = log_text(row.name);
        for (int round = 0; round < 200; ++round) {
            std::string damaged = text;
            for (int i = 0; i < 20; ++i)
                damaged[random() % damaged.size()] = static_cast<char>(random() % 256);
            const auto log = read_training_log(damaged, row.name, batch_of(row));
            if (log.ok() && log->step_s) REQUIRE((std::isfinite(*log->step_s) && *log->step_s > 0));
        }
    }
}

TEST_CASE("200 MB of other output take no more than a second or two") {
    const std::string noise =
        "host17:1234:1299 [3] NCCL INFO Channel 05/0 : 3[3] -> 11[3] [send] via NET/IB/3/GDRDMA\n"
        "[rank3]: the time per step, memory and allocated tensors are reported elsewhere: 12.5\n";
    std::string text;
    text.reserve(201'000'000);
    std::size_t steps = 0;
    while (text.size() < 200'000'000) {
        text += noise;
        if (text.size() / 2'000'000 > steps) text += megatron_line(static_cast<int>(++steps), 500);
    }
    const std::clock_t start = std::clock(); // processor time: other programs may be running
    const auto log = read_training_log(text, "noise");
    const double cpu_s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    REQUIRE(log.ok());
    CHECK(log->steps_read == steps);
    CHECK(*log->step_s == Approx(0.5));
    INFO(cpu_s << " s");
    CHECK(cpu_s < 2);
}
