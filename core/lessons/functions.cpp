// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/functions.h"

#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <tuple>

#include "sync/closed_form.h"
#include "sync/loss.h"
#include "sync/simulate.h"

namespace shardlens::lessons {

double bubble(double stages, double micro_batches) { return (stages - 1) / (micro_batches + stages - 1); }

double train_flops(double parameters, double tokens) { return 6 * parameters * tokens; }

double states_bytes(double psi, double zero, double d) {
    constexpr double kParameters = 2, kGradients = 2, kOptimizer = 12;
    return psi * (kParameters / (zero >= 3 ? d : 1) + kGradients / (zero >= 2 ? d : 1) +
                  kOptimizer / (zero >= 1 ? d : 1));
}

double young(double checkpoint_s, double mtbf_s) { return std::sqrt(2 * checkpoint_s * mtbf_s); }

double daly(double checkpoint_s, double mtbf_s) {
    if (checkpoint_s >= 2 * mtbf_s) return mtbf_s;
    const double share = checkpoint_s / (2 * mtbf_s);
    return young(checkpoint_s, mtbf_s) * (1 + std::sqrt(share) / 3 + share / 9) - checkpoint_s;
}

namespace {

/// What makes a simulated figure: a specification and a time (0 where none matters).
using FigureKey = std::tuple<int, std::int64_t, std::int64_t, int, double, double, double, double>;

/// `compute()`, or what it gave before: a page asks for the same few again and again while a slider moves.
template <class Compute>
double remembered(std::map<FigureKey, double>& known, const sync::Spec& spec, double time_s,
                  Compute&& compute) {
    static std::mutex guard;
    const FigureKey key{static_cast<int>(spec.variant),
                        spec.workers,
                        spec.wait_for,
                        static_cast<int>(spec.delay.kind),
                        spec.delay.floor_s,
                        spec.delay.tail_s,
                        spec.delay.shape,
                        time_s};
    const std::lock_guard lock(guard);
    if (const auto found = known.find(key); found != known.end()) return found->second;
    constexpr std::size_t kKept = 1000;
    if (known.size() >= kKept) known.clear();
    return known[key] = compute();
}

} // namespace

double sgd_time(const sync::Spec& spec) {
    if (!sync::check(spec).empty()) return std::numeric_limits<double>::quiet_NaN();
    const sync::UpdateTime expected = sync::expected_update_time(spec);
    if (expected.exactness == sync::Exactness::exact) return *expected.seconds;
    static std::map<FigureKey, double> known;
    return remembered(known, spec, 0, [&] { return sync::simulate(spec).update_time_s; });
}

double sgd_error(const sync::Spec& spec, double time_s) {
    if (!sync::check(spec).empty()) return std::numeric_limits<double>::quiet_NaN();
    static std::map<FigureKey, double> known;
    return remembered(known, spec, time_s,
                      [&] { return sync::loss_curve(spec, {time_s}, {}).by_time.front(); });
}

} // namespace shardlens::lessons
