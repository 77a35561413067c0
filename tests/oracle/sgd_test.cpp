// SPDX-License-Identifier: GPL-3.0-or-later
// SGD with stragglers against recorded simulations of another program and against closed forms.
#include "catch.h"

#include <chrono>
#include <fstream>

#include <nlohmann/json.hpp>

#include "sync/closed_form.h"
#include "sync/loss.h"
#include "sync/simulate.h"

using namespace shardlens::sync;
using Json = nlohmann::json;

namespace {

Json recorded(const std::string& name) {
    std::ifstream file(data_file("oracles/" + name));
    REQUIRE(file.good());
    return Json::parse(file);
}

Spec spec_of(const Json& row, const Delay& delay, std::int64_t workers) {
    std::string name = row["variant"];
    std::replace(name.begin(), name.end(), '-', '_');
    const auto variant = variant_of(name);
    REQUIRE(variant.has_value());
    return {*variant, workers, row["K"], delay};
}

Delay delay_of(const std::string& name) {
    if (name == "exp") return Delay::exponential(1);
    if (name == "shift") return Delay::shifted_exponential(1, 0.5);
    REQUIRE(name == "pareto");
    return Delay::pareto(1, 2.5);
}

} // namespace

TEST_CASE("every recorded runtime, staleness and share of cancelled gradients") {
    const Json rows = recorded("sgd_runtime.json")["rows"];
    REQUIRE(rows.size() == 186);
    constexpr double kPrinted = 0.5e-4; // the file has four digits behind the point
    double worst = 0, worst_formula = 0;
    int with_formula = 0;
    for (const Json& row : rows) {
        const Spec spec = spec_of(row, delay_of(row["delay"]), row["P"]);
        INFO(row.dump());
        REQUIRE(check(spec).empty());
        const Run run = simulate(spec, {.updates = 100000, .seed = 7});
        const double theirs = row["mean_iter"];
        CHECK(std::abs(run.update_time_s - theirs) < 0.01 * theirs + kPrinted);
        CHECK(run.mean_staleness == Approx(row["staleness"].get<double>()).margin(0.006));
        CHECK(run.dropped_share == Approx(row["wasted"].get<double>()).margin(1e-4));
        CHECK(expected_staleness(spec) == Approx(run.mean_staleness).margin(0.006));
        CHECK(expected_dropped_share(spec) == Approx(run.dropped_share).margin(1e-4));
        worst = std::max(worst, (std::abs(run.update_time_s - theirs) - kPrinted) / theirs);

        const UpdateTime expected = expected_update_time(spec);
        if (expected.exactness == Exactness::exact) {
            CHECK(run.update_time_s == Approx(*expected.seconds).epsilon(0.01));
            worst_formula = std::max(worst_formula, std::abs(run.update_time_s / *expected.seconds - 1));
            ++with_formula;
        } else if (expected.exactness == Exactness::upper_bound) {
            CHECK(run.update_time_s < *expected.seconds * 1.01);
        }
        // K = 1 and K = P of K-async are async and sync, for which the file has formulas in rows of their
        // own.
        const bool edge =
            spec.variant == Variant::k_async && (spec.wait_for == 1 || spec.wait_for == spec.workers);
        if (!row["formula"].is_null() && !edge) {
            REQUIRE(expected.seconds.has_value());
            CHECK(*expected.seconds == Approx(row["formula"].get<double>()).margin(kPrinted));
        }
    }
    CHECK(with_formula >= 100);
    INFO("worst against the recorded " << worst << ", against closed forms " << worst_formula);
    CHECK(worst < 0.01);
    CHECK(worst_formula < 0.01);
}

TEST_CASE("the trap: with a heavy tail K-async takes longer than the K-th of P") {
    // P = 8, K = 7, shape 2.5: 2.17 against 2.08 (recorded 2.1716, closed form 2.0836).
    const Spec spec{Variant::k_async, 8, 7, Delay::pareto(1, 2.5)};
    const Run run = simulate(spec, {.updates = 400000, .seed = 3});
    const UpdateTime bound = expected_update_time(spec);
    CHECK(run.update_time_s == Approx(2.17).epsilon(0.01));
    CHECK(bound.seconds.value() == Approx(2.0836).margin(1e-4));
    CHECK(bound.exactness == Exactness::order_statistic);
    CHECK(run.update_time_s > *bound.seconds * 1.03);
}

TEST_CASE("error against time") {
    const Json file = recorded("sgd_error_runtime.json");
    const std::vector<double> times = file["_schema"]["times"];
    // Sixty means of 60 runs each: their mean is ours, their scatter is what the recorded mean of 60 has as
    // well.
    constexpr int kMeans = 60;
    std::vector<std::vector<double>> ours, theirs;
    int outside = 0; // of 56
    for (const Json& row : file["rows"]) {
        const Spec spec = spec_of(row, Delay::exponential(1), 8);
        theirs.push_back(row["error"]);
        std::vector<double> sum(times.size()), squares(times.size());
        for (int mean = 0; mean < kMeans; ++mean) {
            const LossCurve curve = loss_curve(
                spec, times, {}, {.runs = 60, .seed = 1000 + 60 * static_cast<std::uint64_t>(mean)});
            for (std::size_t i = 0; i < times.size(); ++i) {
                sum[i] += curve.by_time[i] / kMeans;
                squares[i] += curve.by_time[i] * curve.by_time[i] / kMeans;
            }
        }
        ours.push_back(sum);
        for (std::size_t i = 0; i < times.size(); ++i) {
            const double recorded_value = theirs.back()[i], off = std::abs(sum[i] / recorded_value - 1);
            const double scatter = std::sqrt(squares[i] - sum[i] * sum[i]);
            INFO(row.dump() << " t=" << times[i] << ": " << sum[i] << ", a mean of 60 scatters by "
                            << scatter);
            if (off < 0.15) continue;
            // Two of the recorded means lie further off, by chance: async at t = 2, 3.2 here with a scatter
            // of 0.6 against 4.3, and 2-async at t = 4, 6.1 with 0.5 against 5.3.
            ++outside;
            CHECK(std::abs(sum[i] - recorded_value) < 2.5 * scatter);
        }
    }
    CHECK(outside <= 2);
    REQUIRE(ours.size() == 7);
    // The order of the variants at every time, where the recorded values are apart by more than both may be
    // off.
    int pairs = 0;
    for (std::size_t i = 0; i < times.size(); ++i)
        for (std::size_t a = 0; a < ours.size(); ++a)
            for (std::size_t b = 0; b < ours.size(); ++b)
                if (theirs[a][i] > theirs[b][i] * 1.15) {
                    ++pairs;
                    CHECK(ours[a][i] > ours[b][i]);
                }
    CHECK(pairs > 100);
}

TEST_CASE("what the pages show: 60 runs, as recorded") {
    const Json file = recorded("sgd_error_runtime.json");
    const std::vector<double> times = file["_schema"]["times"];
    int values = 0;
    for (const Json& row : file["rows"]) {
        const LossCurve curve = loss_curve(spec_of(row, Delay::exponential(1), 8), times, {});
        for (std::size_t i = 0; i < times.size(); ++i, ++values) {
            INFO(row.dump() << " t=" << times[i]);
            CHECK(curve.by_time[i] == Approx(row["error"][i].get<double>()).epsilon(0.15));
        }
    }
    CHECK(values == 56);
}

TEST_CASE("60,000 updates are quick") {
    const auto begin = std::chrono::steady_clock::now();
    for (const Variant variant : {Variant::sync, Variant::k_batch_sync, Variant::k_async, Variant::async})
        CHECK(simulate({variant, 8, 4, Delay::pareto(1, 2.5)}).updates == 60000);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    INFO(taken.count() << " s for four variants");
    CHECK(taken.count() < 4);
}
