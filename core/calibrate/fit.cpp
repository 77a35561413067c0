// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibrate/fit.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <thread>

#include <Eigen/Cholesky>

#include "report/evaluate.h"

namespace shardlens::calibrate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kLogStep = 1e-3;         ///< of the numeric derivative
constexpr double kLargestMove = 0.7;      ///< of a constant's logarithm in one iteration
constexpr double kEnough = 1e-4;          ///< relative gain of the cost that ends the fit
constexpr double kMedianToSigma = 1.4826; ///< a normal distribution's, from its median absolute deviation

/// The constant inside a setup, null when the parameter belongs to another stack or GPU.
double* constant_in(Setup& setup, const Parameter& parameter) {
    switch (parameter.owner) {
    case Owner::stack:
        // "ID" is all of a stack's runs, "ID@RELEASE" those of one release.
        return setup.stack.id == parameter.id || setup.stack.id + "@" + setup.stack.version == parameter.id
                   ? number_field(setup.stack, parameter.key).value
                   : nullptr;
    case Owner::architecture:
        return setup.architecture.id == parameter.id ? number_field(setup.architecture, parameter.key).value
                                                     : nullptr;
    case Owner::clock:
        return setup.cluster.accelerator.id == parameter.id ? &setup.cluster.accelerator.clock_factor
                                                            : nullptr;
    }
    return nullptr;
}

/// A sample's own copy of its setup, with the places where parameters go in.
struct Bench {
    Setup setup;
    std::vector<std::pair<std::size_t, double*>> places;

    Bench(const Sample& sample, const std::vector<Parameter>& parameters) : setup(sample.setup) {
        for (std::size_t i = 0; i < parameters.size(); ++i)
            if (double* place = constant_in(setup, parameters[i])) {
                // A release's own constant stands in for the stack's.
                std::erase_if(places, [place](const auto& earlier) { return earlier.second == place; });
                places.emplace_back(i, place);
            }
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    void set(const VectorXd& logs) {
        for (const auto& [index, place] : places) *place = std::exp(logs[static_cast<Eigen::Index>(index)]);
    }
};

/// Calls work(i) for every i below `count` on several threads; `make` gives each thread its own tool.
template <class Work> void in_parallel(std::size_t count, unsigned threads, const Work& work) {
    const unsigned wanted = threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
    std::atomic<std::size_t> next{0};
    const auto run = [&] {
        for (std::size_t i = next++; i < count; i = next++) work(i);
    };
    std::vector<std::jthread> pool;
    for (unsigned i = 1; i < wanted; ++i) pool.emplace_back(run);
    run();
}

double log_error(const Sample& sample, const Setup& setup) {
    const double predicted = step_seconds(setup, sample.placement.get());
    // A step that cannot be predicted must not end the fit.
    if (!(predicted > 0) || !std::isfinite(predicted)) return 10;
    return std::log(predicted / sample.measured_s);
}

/// Soft L1: quadratic for small residuals, linear beyond the scale.
double robust(double residual) { return 2 * (std::sqrt(1 + residual * residual) - 1); }
double robust_weight(double residual) { return 1 / std::sqrt(1 + residual * residual); }

VectorXd to_logs(const std::vector<double>& values) {
    VectorXd logs(static_cast<Eigen::Index>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) logs[static_cast<Eigen::Index>(i)] = std::log(values[i]);
    return logs;
}

/// The problem: samples, parameters and how far they are from priors.
class Problem {
public:
    Problem(const std::vector<Sample>& samples, const std::vector<Parameter>& parameters,
            const FitOptions& options)
        : m_samples(samples), m_parameters(parameters), m_options(options) {
        for (const Sample& sample : samples) m_benches.push_back(std::make_unique<Bench>(sample, parameters));
        m_scales.assign(samples.size(), options.residual_scale);
    }

    /// Gives every sample the spread of its stack's errors at `logs`.
    void take_spread(const VectorXd& logs) {
        std::vector<double> errors(m_samples.size());
        in_parallel(m_samples.size(), m_options.threads, [&](std::size_t i) {
            m_benches[i]->set(logs);
            errors[i] = std::abs(log_error(m_samples[i], m_benches[i]->setup));
        });
        std::map<std::pair<std::string, bool>, std::vector<double>> by_stack;
        const auto stack_of = [&](std::size_t i) {
            return std::pair{m_samples[i].setup.stack.id, m_samples[i].setup.moe()};
        };
        for (std::size_t i = 0; i < errors.size(); ++i) by_stack[stack_of(i)].push_back(errors[i]);
        std::map<std::pair<std::string, bool>, double> scale;
        for (auto& [stack, of_stack] : by_stack) {
            const auto middle = of_stack.begin() + static_cast<std::ptrdiff_t>(of_stack.size() / 2);
            std::ranges::nth_element(of_stack, middle);
            scale[stack] = std::max(m_options.residual_scale, kMedianToSigma * *middle);
        }
        for (std::size_t i = 0; i < errors.size(); ++i) m_scales[i] = scale[stack_of(i)];
    }

    [[nodiscard]] double cost(const VectorXd& logs) const {
        std::vector<double> terms(m_samples.size());
        in_parallel(m_samples.size(), m_options.threads, [&](std::size_t i) {
            Bench& bench = *m_benches[i];
            bench.set(logs);
            terms[i] = m_samples[i].weight * robust(log_error(m_samples[i], bench.setup) / m_scales[i]) / 2;
        });
        double sum = 0;
        for (const double term : terms) sum += term;
        for (std::size_t j = 0; j < m_parameters.size(); ++j) {
            const double off = deviation(logs, j);
            sum += off * off / 2;
        }
        return sum;
    }

    /// Normal equations of the weighted linearised problem: curvature · step = −gradient.
    void linearise(const VectorXd& logs, MatrixXd& curvature, VectorXd& gradient) const {
        const auto n = static_cast<Eigen::Index>(m_parameters.size());
        std::vector<std::vector<double>> slopes(m_samples.size());
        std::vector<double> residuals(m_samples.size());
        in_parallel(m_samples.size(), m_options.threads, [&](std::size_t i) {
            Bench& bench = *m_benches[i];
            bench.set(logs);
            residuals[i] = log_error(m_samples[i], bench.setup) / m_scales[i];
            for (const auto& [index, place] : bench.places) {
                const double kept = *place;
                *place = kept * std::exp(kLogStep);
                const double moved = log_error(m_samples[i], bench.setup) / m_scales[i];
                *place = kept;
                slopes[i].push_back((moved - residuals[i]) / kLogStep);
            }
        });
        curvature.setZero(n, n);
        gradient.setZero(n);
        for (std::size_t i = 0; i < m_samples.size(); ++i) {
            const double weight = m_samples[i].weight * robust_weight(residuals[i]);
            const auto& places = m_benches[i]->places;
            for (std::size_t a = 0; a < places.size(); ++a) {
                const auto row = static_cast<Eigen::Index>(places[a].first);
                gradient[row] += weight * slopes[i][a] * residuals[i];
                for (std::size_t b = 0; b < places.size(); ++b)
                    curvature(row, static_cast<Eigen::Index>(places[b].first)) +=
                        weight * slopes[i][a] * slopes[i][b];
            }
        }
        for (Eigen::Index j = 0; j < n; ++j) {
            const auto at = static_cast<std::size_t>(j);
            gradient[j] += deviation(logs, at) / m_parameters[at].sigma;
            curvature(j, j) += 1 / (m_parameters[at].sigma * m_parameters[at].sigma);
        }
    }

    [[nodiscard]] VectorXd bounded(VectorXd logs) const {
        for (std::size_t j = 0; j < m_parameters.size(); ++j) {
            auto& x = logs[static_cast<Eigen::Index>(j)];
            x = std::clamp(x, std::log(m_parameters[j].low), std::log(m_parameters[j].high));
        }
        return logs;
    }

private:
    [[nodiscard]] double deviation(const VectorXd& logs, std::size_t j) const {
        return (logs[static_cast<Eigen::Index>(j)] - std::log(m_parameters[j].prior)) / m_parameters[j].sigma;
    }

    const std::vector<Sample>& m_samples;
    const std::vector<Parameter>& m_parameters;
    const FitOptions& m_options;
    std::vector<std::unique_ptr<Bench>> m_benches;
    std::vector<double> m_scales; ///< by sample
};

/// Levenberg-Marquardt from `logs` on.
void descend(const Problem& problem, int iterations, VectorXd& logs) {
    double cost = problem.cost(logs), damping = 1e-2;
    MatrixXd curvature;
    VectorXd gradient;
    for (int iteration = 0; iteration < iterations; ++iteration) {
        problem.linearise(logs, curvature, gradient);
        bool better = false;
        double gain = 0;
        for (int attempt = 0; attempt < 6 && !better; ++attempt) {
            MatrixXd damped = curvature;
            damped.diagonal() *= 1 + damping;
            const VectorXd step =
                damped.ldlt().solve(-gradient).cwiseMax(-kLargestMove).cwiseMin(kLargestMove);
            const VectorXd candidate = problem.bounded(logs + step);
            const double next = problem.cost(candidate);
            if (next < cost) {
                gain = (cost - next) / cost;
                logs = candidate;
                cost = next;
                damping = std::max(damping / 5, 1e-6);
                better = true;
            } else {
                damping *= 8;
            }
        }
        if (!better || gain < kEnough) break;
    }
}

} // namespace

std::vector<double> fit(const std::vector<Sample>& samples, const std::vector<Parameter>& parameters,
                        const FitOptions& options, const std::vector<double>& start) {
    std::vector<double> from = start;
    if (from.empty())
        for (const Parameter& parameter : parameters) from.push_back(parameter.prior);
    Problem problem(samples, parameters, options);
    VectorXd logs = problem.bounded(to_logs(from));
    descend(problem, options.iterations, logs);
    if (options.own_spread) {
        problem.take_spread(logs);
        descend(problem, options.iterations, logs);
    }
    std::vector<double> values;
    for (Eigen::Index j = 0; j < logs.size(); ++j) values.push_back(std::exp(logs[j]));
    return values;
}

std::vector<double> predict(const std::vector<Sample>& samples, const std::vector<Parameter>& parameters,
                            const std::vector<double>& values, unsigned threads) {
    const VectorXd logs = to_logs(values);
    std::vector<double> predicted(samples.size());
    in_parallel(samples.size(), threads, [&](std::size_t i) {
        Bench bench(samples[i], parameters);
        bench.set(logs);
        predicted[i] = step_seconds(bench.setup, samples[i].placement.get());
    });
    return predicted;
}

Result<Sample> make_sample(const Plan& plan, const Catalog& catalog, double measured_s) {
    auto setup = resolve(plan, catalog);
    if (!setup) return setup.error();
    Sample sample{plan.name, std::move(setup).value(), nullptr, measured_s, 1};
    auto placed = placement::Placement::make(sample.setup);
    if (!placed) return Error{plan.name, "its degrees do not make a world"};
    sample.placement = std::make_shared<const placement::Placement>(std::move(placed).value());
    return sample;
}

} // namespace shardlens::calibrate
