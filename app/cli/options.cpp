// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <tuple>

#include "json/strict_json.h"

namespace shardlens::cli {

namespace {

// Numbers are read here and not by CLI11, so that every wrong one gives the same kind of line.

/// Error text, or "" when `text` is a whole number in [1, 2^31 - 1].
std::string read_count(const std::string& option, const std::string& text, std::int64_t& value) {
    double number = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole =
        status == std::errc() && end == text.data() + text.size() && std::floor(number) == number;
    if (!whole || number < 1 || number > 2147483647.0) {
        return fmt::format("{} takes a whole number from 1 to 2147483647, not '{}'", option, text);
    }
    value = static_cast<std::int64_t>(number);
    return {};
}

/// Error text, or "" when `text` is a whole number in [0, 2^31 - 1].
std::string read_index(const std::string& option, const std::string& text, std::int64_t& value) {
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || end != text.data() + text.size() || value < 0 || value > 2147483647)
        return fmt::format("{} takes a whole number from 0 to 2147483647, not '{}'", option, text);
    return {};
}

/// Error text, or "" when `text` is a finite number >= 0.
std::string read_cost(const std::string& option, const std::string& text, double& value) {
    double number = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (status != std::errc() || end != text.data() + text.size() || !(number >= 0) || number > 1e12) {
        return fmt::format("{} takes a number from 0 to 1e12, not '{}'", option, text);
    }
    value = number;
    return {};
}

/// The numbers of the calibrate command, as written.
struct CalibrateTexts {
    std::string step, allocated, reserved;

    [[nodiscard]] std::string read(CalibrateOptions& options) const {
        for (const auto& [name, text, target] :
             {std::tuple{"--step-s", &step, &options.step_s},
              std::tuple{"--allocated-bytes", &allocated, &options.allocated_bytes},
              std::tuple{"--reserved-bytes", &reserved, &options.reserved_bytes}}) {
            if (text->empty()) continue;
            if (std::string error = read_cost(name, *text, *target); !error.empty()) return error;
            if (!(*target > 0)) return fmt::format("{} takes a number above 0", name);
        }
        if (options.log.empty() && step.empty() && allocated.empty() && reserved.empty())
            return "--log FILE or a measured number (--step-s, --allocated-bytes, --reserved-bytes) is "
                   "missing";
        return {};
    }
};

/// The part of the schedule command's options that are numbers, by name.
struct ScheduleTexts {
    std::map<std::string, std::string> counts = {
        {"--stages", ""}, {"--micro-batches", ""}, {"--chunks", ""}, {"--group", ""}};
    std::map<std::string, std::string> costs = {{"--forward", ""},
                                                {"--backward-input", ""},
                                                {"--backward-weight", ""},
                                                {"--overlapped", ""},
                                                {"--comm", ""}};

    [[nodiscard]] std::string read(ScheduleOptions& schedule) const {
        const std::pair<const char*, std::int64_t*> count_targets[] = {
            {"--stages", &schedule.stages},
            {"--micro-batches", &schedule.micro_batches},
            {"--chunks", &schedule.chunks},
            {"--group", &schedule.group}};
        for (const auto& [name, target] : count_targets) {
            const std::string& text = counts.at(name);
            if (text.empty()) continue;
            if (std::string error = read_count(name, text, *target); !error.empty()) return error;
        }
        const std::pair<const char*, double*> cost_targets[] = {
            {"--forward", &schedule.forward},
            {"--backward-input", &schedule.backward_input},
            {"--backward-weight", &schedule.backward_weight},
            {"--overlapped", &schedule.overlapped},
            {"--comm", &schedule.hop}};
        for (const auto& [name, target] : cost_targets) {
            const std::string& text = costs.at(name);
            if (text.empty()) continue;
            if (std::string error = read_cost(name, text, *target); !error.empty()) return error;
        }
        if (schedule.kind.empty()) return "--kind is missing";
        if (schedule.stages == 0) return "--stages is missing";
        if (schedule.micro_batches == 0) return "--micro-batches is missing";
        return {};
    }
};

/// The numbers of the sgd command, as written.
struct SgdTexts {
    std::map<std::string, std::string> counts = {{"--workers", ""}, {"--wait-for", ""}, {"--updates", ""}};
    std::map<std::string, std::string> delays = {
        {"--mean", ""}, {"--shift", ""}, {"--shape", ""}, {"--scale", ""}};
    std::string seed;

    [[nodiscard]] std::string read(SgdOptions& sgd) const {
        for (const auto& [name, target] :
             {std::pair{"--workers", &sgd.workers}, std::pair{"--wait-for", &sgd.wait_for},
              std::pair{"--updates", &sgd.updates}}) {
            const std::string& text = counts.at(name);
            if (text.empty()) continue;
            if (std::string error = read_count(name, text, *target); !error.empty()) return error;
        }
        for (const auto& [name, target] :
             {std::pair{"--mean", &sgd.delay.mean_s}, std::pair{"--shift", &sgd.delay.shift_s},
              std::pair{"--shape", &sgd.delay.shape}, std::pair{"--scale", &sgd.delay.scale_s}}) {
            const std::string& text = delays.at(name);
            if (text.empty()) continue;
            if (std::string error = read_cost(name, text, target->emplace()); !error.empty()) return error;
        }
        if (!seed.empty())
            if (std::string error = read_index("--seed", seed, sgd.seed); !error.empty()) return error;
        return sgd.variant.empty() ? "--variant is missing" : "";
    }
};

/// What to say about an argument nobody asked for.
std::string unexpected(const CLI::App& app, const std::string& argument) {
    if (argument.size() < 2 || argument[0] != '-') return fmt::format("unexpected argument '{}'", argument);
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    const std::string key = argument.substr(0, argument.find('='));
    const std::string near = nearest(key, candidates);
    if (near.empty()) return fmt::format("unknown option '{}'", key);
    return fmt::format("unknown option '{}'; did you mean '{}'?", key, near);
}

} // namespace

std::string usage(const Syntax& syntax) {
    std::string text = fmt::format("shardlens-cli {}", syntax.name);
    const std::size_t needed = syntax.positional.size() - syntax.optional;
    for (std::size_t i = 0; i < syntax.positional.size(); ++i)
        text += i < needed ? fmt::format(" {}", syntax.positional[i])
                           : fmt::format(" [{}]", syntax.positional[i]);
    if (syntax.options[0] != '\0') text += fmt::format(" {}", syntax.options);
    if (syntax.takes_sets) text += " [--set PATH=VALUE]...";
    return text + " [--format json|text]";
}

Parsed parse_options(const Syntax& syntax, std::span<const std::string> arguments) {
    Options options;
    std::string format, depth, node, nic, step;
    bool help = false;
    ScheduleTexts numbers;
    CalibrateTexts measured;
    SgdTexts stragglers;

    CLI::App app;
    app.set_help_flag();
    app.add_flag("-h,--help", help);
    app.add_option("--format", format)->take_last();
    if (syntax.takes_sets) {
        app.add_option("--set", options.sets)
            ->allow_extra_args(false)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
    const std::string_view name = syntax.name;
    if (name == "export") {
        app.add_option("--to", options.launcher)->take_last();
        app.add_option("--out", options.directory)->take_last();
    } else if (name == "import") {
        app.add_option("--from", options.kind)->take_last();
        app.add_option("--part", options.part)->take_last();
    } else if (name == "explain") {
        app.add_option("--depth", depth)->take_last();
    } else if (name == "plan") {
        app.add_option("--trace", options.trace)->take_last();
    } else if (name == "failure") {
        app.add_option("--node", node)->take_last();
        app.add_option("--nic", nic)->take_last();
    } else if (name == "balance" || name == "orders") {
        app.add_option("--out", options.out)->take_last();
    } else if (name == "calibrate") {
        app.add_option("--log", options.calibrate.log)->take_last();
        app.add_option("--name", options.calibrate.name)->take_last();
        app.add_option("--step-s", measured.step)->take_last();
        app.add_option("--allocated-bytes", measured.allocated)->take_last();
        app.add_option("--reserved-bytes", measured.reserved)->take_last();
        app.add_flag("--save", options.calibrate.save);
    } else if (name == "lessons") {
        app.add_option("--language", options.language)->take_last();
        app.add_option("--step", step)->take_last();
    } else if (name == "sgd") {
        app.add_option("--variant", options.sgd.variant)->take_last();
        app.add_option("--delay", options.sgd.delay.kind)->take_last();
        app.add_option("--seed", stragglers.seed)->take_last();
        for (auto& [option, text] : stragglers.counts) app.add_option(option, text)->take_last();
        for (auto& [option, text] : stragglers.delays) app.add_option(option, text)->take_last();
    } else if (name == "schedule") {
        app.add_option("--kind", options.schedule.kind)->take_last();
        for (auto& [option, text] : numbers.counts) app.add_option(option, text)->take_last();
        for (auto& [option, text] : numbers.costs) app.add_option(option, text)->take_last();
        app.add_option("--trace", options.trace)->take_last();
    }
    app.allow_extras();

    const auto wrong = [&](const std::string& what) {
        Parsed parsed;
        parsed.error = fmt::format("{}: {}; usage: {}", syntax.name, what, usage(syntax));
        return parsed;
    };
    try {
        std::vector<std::string> reversed(arguments.rbegin(), arguments.rend()); // as CLI11 wants them
        app.parse(reversed);
    } catch (const CLI::ParseError& error) {
        return wrong(error.what());
    }
    if (help) {
        Parsed parsed;
        parsed.help = fmt::format("{}\n\n{}\n", usage(syntax), syntax.summary);
        return parsed;
    }
    for (const std::string& argument : app.remaining()) {
        if (argument == "--") continue;
        const bool option = argument.size() > 1 && argument[0] == '-';
        if (option || options.positional.size() == syntax.positional.size())
            return wrong(unexpected(app, argument));
        options.positional.push_back(argument);
    }
    if (options.positional.size() + syntax.optional < syntax.positional.size()) {
        return wrong(fmt::format("{} is missing", syntax.positional[options.positional.size()]));
    }
    if (!format.empty() && format != "json" && format != "text") {
        return wrong(fmt::format("--format is json or text, not '{}'", format));
    }
    options.text = format == "text";
    if (name == "schedule") {
        if (const std::string error = numbers.read(options.schedule); !error.empty()) return wrong(error);
    } else if (name == "sgd") {
        if (const std::string error = stragglers.read(options.sgd); !error.empty()) return wrong(error);
    } else if (name == "lessons" && !step.empty()) {
        if (const std::string error = read_index("--step", step, options.step.emplace()); !error.empty())
            return wrong(error);
    } else if (name == "calibrate") {
        if (const std::string error = measured.read(options.calibrate); !error.empty()) return wrong(error);
    } else if (name == "explain" && !depth.empty()) {
        if (const std::string error = read_count("--depth", depth, options.depth); !error.empty())
            return wrong(error);
        constexpr std::int64_t kDeepest = 20; // no formula is nested deeper
        options.depth = std::min(options.depth, kDeepest);
    } else if (name == "failure") {
        if (node.empty()) return wrong("--node N is missing");
        std::string error = read_index("--node", node, options.node);
        if (error.empty() && !nic.empty()) error = read_index("--nic", nic, options.nic.emplace());
        if (!error.empty()) return wrong(error);
    } else if (name == "export") {
        if (options.launcher.empty()) return wrong("--to LAUNCHER is missing");
        if (options.directory.empty()) return wrong("--out DIR is missing");
    }
    Parsed parsed;
    parsed.options = std::move(options);
    return parsed;
}

} // namespace shardlens::cli
