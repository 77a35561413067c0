// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/text.h"
#include "report/report.h"
#include "json/strict_json.h"

namespace shardlens::cli {

namespace {

struct Command {
    Syntax syntax;
    Outcome (*run)(const Options& options, const Catalog& catalog);
};

const std::vector<Command>& commands() {
    static const std::vector<Command> all = {
        {{"plan",
          {"PLAN.json"},
          "[--trace FILE]",
          true,
          "Prints the report of a plan: memory, time, cost, messages. --trace writes its step for Perfetto."},
         plan_command},
        {{"validate", {"PLAN.json"}, "", true, "Prints what stands against a plan, with fixes."},
         validate_command},
        {{"explain",
          {"PLAN.json", "PATH"},
          "[--depth N]",
          true,
          "Shows how a number of the report is computed, e.g. memory.stages.0.activations_bytes."},
         explain_command},
        {{"schedule",
          {},
          "--kind K --stages P --micro-batches M [--chunks V] [--group G] [--forward F --backward-input I "
          "--backward-weight W] [--overlapped X] [--comm C] [--trace FILE]",
          false,
          "Orders and times the operations of a pipeline schedule. --trace writes them for Perfetto."},
         schedule_command},
        {{"schedules",
          {"PLAN.json"},
          "",
          true,
          "Compares all pipeline schedules for a plan; of those it cannot have, says why and what would do."},
         schedules_command},
        {{"balance",
          {"PLAN.json"},
          "[--out FILE]",
          true,
          "Finds the layers per stage that make the slowest stage fastest, and what that gains; --out writes "
          "the "
          "plan."},
         balance_command},
        {{"placement",
          {"PLAN.json"},
          "",
          true,
          "Lists process groups, where their ranks sit, which leave their node, and the traffic by link and "
          "collective."},
         placement_command},
        {{"orders",
          {"PLAN.json"},
          "[--out FILE]",
          true,
          "Tries every rank order: which leaves the least communication exposed, and what the plan's own "
          "loses; --out writes the plan with the best."},
         orders_command},
        {{"failure",
          {"PLAN.json"},
          "--node N [--nic K]",
          true,
          "Takes out a node, or one of its network ports: groups, replicas and throughput that go with it."},
         failure_command},
        {{"compare",
          {"A.json", "B.json"},
          "",
          true,
          "Prints both reports, what differs in the plans and in the numbers."},
         compare_command},
        {{"calibrate",
          {"PLAN.json"},
          "[--log FILE] [--step-s S] [--allocated-bytes N] [--reserved-bytes N] [--name ID] [--save]",
          true,
          "Fits the plan's stack profile to a run's log or to measured numbers; shows the error before and "
          "after."},
         calibrate_command},
        {{"export",
          {"PLAN.json"},
          "--to LAUNCHER[@VERSION] --out DIR",
          true,
          "Writes the plan as a launcher's own configuration into DIR."},
         export_command},
        {{"import",
          {"FILE"},
          "[--from KIND[@VERSION]] [--part KEYS]",
          true,
          "Reads a configuration of another program as a plan; says on standard error what came from which key. "
          "Exit code 1 while something that a plan must give is missing: --set gives it."},
         import_command},
        {{"lessons",
          {"list|show|check", "DIR|FILE|ID"},
          "[--language L] [--step N]",
          false,
          "Lists lessons (the shipped ones or a folder's), prints one with its figures computed, or checks "
          "them.",
          1},
         lessons_command},
        {{"sgd",
          {},
          "--variant V [--workers P] [--wait-for K] [--delay D] [--mean S] [--shift S] [--shape A] [--scale "
          "S] "
          "[--updates N] [--seed N]",
          false,
          "Simulates SGD with workers of uneven speed: time per update, staleness, dropped gradients, loss."},
         sgd_command},
        {{"presets", {"list|show", "ID"}, "", false, "Lists the presets, or prints the one with the id ID."},
         presets_command},
        {{"bench", {}, "", false, "Measures evaluation and simulation on this machine."}, bench_command},
    };
    return all;
}

std::string help_text() {
    std::string text = "shardlens-cli: what a plan for training a language model needs, computed\n\n";
    std::vector<std::vector<std::string>> rows;
    for (const Command& command : commands()) {
        rows.push_back({std::string("  ") + command.syntax.name, command.syntax.summary});
    }
    text += table(rows);
    text +=
        "\nEvery command takes --help and --format json|text (json is the default); a file named - is "
        "standard input.\n"
        "--set PATH=VALUE (repeatable) changes the plan before it is read; VALUE is JSON, null removes the "
        "field.\n"
        "Exit codes: 0 done; 1 the plan breaks a rule or does not fit; 2 bad usage or unreadable input.\n";
    return text;
}

Outcome bad_usage(const std::string& what) { return unreadable(Error{"shardlens-cli", what}); }

Outcome run_unguarded(const std::vector<std::string>& arguments, const std::filesystem::path& executable) {
    if (arguments.empty()) return bad_usage("a command is missing; shardlens-cli --help lists them");
    const std::string& first = arguments.front();
    if (first == "--help" || first == "-h") return {kDone, help_text(), ""};
    if (first == "--version") return {kDone, "shardlens-cli " SHARDLENS_VERSION "\n", ""};

    for (const Command& command : commands()) {
        if (first != command.syntax.name) continue;
        Syntax syntax = command.syntax;
        std::span<const std::string> rest(arguments.begin() + 1, arguments.end());
        // `presets list` has no second argument.
        if (first == "presets") {
            for (const std::string& argument : rest) {
                if (argument == "show") break;
                if (argument == "list") syntax.positional = {"list|show"};
            }
        }
        Parsed parsed = parse_options(syntax, rest);
        if (!parsed.error.empty()) return bad_usage(parsed.error);
        if (!parsed.help.empty()) return {kDone, parsed.help, ""};
        std::error_code ignored;
        std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
        if (ignored) program = executable;
        const Catalog catalog(Catalog::default_directories(program));
        return command.run(*parsed.options, catalog);
    }
    std::vector<std::string_view> names;
    for (const Command& command : commands()) names.emplace_back(command.syntax.name);
    const std::string near = nearest(first, names);
    const std::string kind = first.starts_with("-") ? "option" : "command";
    if (near.empty())
        return bad_usage(
            fmt::format("unknown {} '{}'; shardlens-cli --help lists the commands", kind, first));
    return bad_usage(fmt::format("unknown {} '{}'; did you mean '{}'?", kind, first, near));
}

bool write_all(std::FILE* stream, const std::string& text) {
    return std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0;
}

} // namespace

Outcome refused(const Error& error, const char* code, const Options& options) {
    Message message;
    message.code = code;
    message.path = error.where;
    message.text_template = "{0}";
    message.arguments = {error.what};
    if (options.text) return {kBroken, messages_to_text({message}), ""};
    nlohmann::ordered_json output;
    output["messages"] = messages_to_json({message});
    return {kBroken, document(output), ""};
}

Outcome unreadable(const Error& error) { return {kUnreadable, "", one_line(error.line()) + "\n"}; }

Outcome run(const std::vector<std::string>& arguments, const std::filesystem::path& executable) {
    try {
        return run_unguarded(arguments, executable);
    } catch (const std::bad_alloc&) {
        return bad_usage("not enough memory for this input");
    } catch (const std::exception& error) {
        return bad_usage(error.what());
    }
}

int deliver(const Outcome& outcome) {
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe is an error of fwrite, not the end of the process
    int code = outcome.code;
    if (!outcome.out.empty() && !write_all(stdout, outcome.out) && errno != EPIPE) {
        const std::string reason = std::strerror(errno);
        static_cast<void>(
            write_all(stderr, "shardlens-cli: cannot write to standard output: " + reason + "\n"));
        return kUnreadable;
    }
    static_cast<void>(write_all(stderr, outcome.err));
    return code;
}

} // namespace shardlens::cli
