// SPDX-License-Identifier: GPL-3.0-or-later
// imports_fuzz [INPUTS PER KIND [SEED [KIND …]]]: reads mutated sample files with every importer, or with
// those named. Fails on an input that takes more than a second of processor time, on a refusal or a note that
// is not one clear line, on more than 512 MiB, and by crashing.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <sys/resource.h>
#include <vector>

#include "launchers/import.h"
#include "launchers/launcher.h"
#include "plan/plan_json.h"
#include "report/evaluate.h"
#include "json/strict_json.h"
#include "json/text.h"

namespace {

using namespace shardlens;
using Random = std::mt19937_64;

constexpr double kMostSeconds = 1;
constexpr long kMostKilobytes = 512L * 1024;

const char* const kTokens[] = {"{",
                               "}",
                               "[",
                               "]",
                               "(",
                               ")",
                               "((",
                               "$((",
                               "))",
                               "${",
                               "$",
                               "\"",
                               "'",
                               "`",
                               "\\",
                               "\\\n",
                               "\n",
                               "#",
                               "//",
                               "/*",
                               ",",
                               ":",
                               ": ",
                               "=",
                               "+=",
                               "*",
                               "&a ",
                               "*a",
                               "<<: ",
                               "- ",
                               "---\n",
                               "!!x ",
                               "|",
                               ">",
                               "null",
                               "NaN",
                               "-1",
                               "0",
                               "1e308",
                               "9223372036854775807",
                               "99999999999999999999999999",
                               "0.5",
                               "\"auto\"",
                               "true",
                               "\x00\x01",
                               "\xff\xfe",
                               "\xef\xbb\xbf",
                               "%",
                               ";",
                               "if ",
                               "fi",
                               "do",
                               "eval ",
                               "<<EOF\n",
                               "**",
                               "/0",
                               "*100000*100000",
                               "Et*100000|",
                               "--num-layers ",
                               "${A:-${A}}",
                               "A=$A$A$A$A\n",
                               "A+=($A ${A[@]})\n",
                               "[0]*99999",
                               "__proto__",
                               "é",
                               "\xe2\x80\xa8"};

std::size_t below(Random& random, std::size_t bound) { return bound == 0 ? 0 : random() % bound; }

std::string mutated(const std::vector<std::string>& samples, Random& random) {
    std::string text = samples[below(random, samples.size())];
    for (std::size_t times = 1 + below(random, 4); times > 0; --times) {
        const std::size_t at = below(random, text.size() + 1);
        const std::size_t length = 1 + below(random, below(random, 4) == 0 ? 400 : 12);
        switch (below(random, 7)) {
        case 0: // another byte
            if (!text.empty()) text[below(random, text.size())] = static_cast<char>(random() & 0xFF);
            break;
        case 1: text.erase(at, length); break;
        case 2: { // a piece again, perhaps often
            const std::string piece = text.substr(at, length);
            for (std::size_t n = 1 + below(random, below(random, 5) == 0 ? 200 : 3);
                 n > 0 && text.size() < 200'000; --n)
                text.insert(at, piece);
            break;
        }
        case 3: { // a piece of another file
            const std::string& other = samples[below(random, samples.size())];
            text.insert(at, other.substr(below(random, other.size() + 1), length));
            break;
        }
        case 4:
            if (below(random, 3) == 0) text.resize(at);
            break;
        case 5: { // a number is another one
            const std::size_t digit = text.find_first_of("0123456789", at);
            if (digit == std::string::npos) break;
            const std::size_t end = std::min(text.find_first_not_of("0123456789", digit), text.size());
            text.replace(digit, end - digit,
                         std::to_string(static_cast<std::int64_t>(random() >> below(random, 64))));
            break;
        }
        default: text.insert(at, kTokens[below(random, std::size(kTokens))]); break;
        }
    }
    return text;
}

bool one_clear_line(const std::string& line) {
    return !line.empty() && line.size() < 2000 && line.find('\n') == std::string::npos && valid_utf8(line);
}

[[noreturn]] void failed(const launchers::Importer& importer, const std::string& why,
                         const std::string& input) {
    std::fprintf(stderr, "%s: %s; the input:\n%s\n", importer.id, why.c_str(), input.substr(0, 4000).c_str());
    std::exit(1);
}

std::map<std::string, std::vector<std::string>> sample_files() {
    std::map<std::string, std::vector<std::string>> samples;
    for (const char* folder : {"/tests/data/imports", "/presets/plans"})
        for (const auto& entry :
             std::filesystem::directory_iterator(std::string(SHARDLENS_SOURCE_DIR) + folder)) {
            const auto text = read_text(entry.path().string());
            if (!text) continue;
            const auto found = launchers::detect(*text, entry.path().filename().string());
            if (found.ok()) samples[(*found)->id].push_back(*text);
        }
    // And what our own exporters write of a few plans.
    const Catalog catalog({std::string(SHARDLENS_SOURCE_DIR) + "/presets"});
    for (const char* zero : {"parallel.zero=1", "parallel.zero=3"})
        for (const char* tensor : {"parallel.tensor=1", "parallel.tensor=8"})
            for (const char* pipeline : {"parallel.pipeline=1", "parallel.pipeline=4"})
                for (const launchers::Launcher& launcher : launchers::table())
                    for (const char* version : launcher.versions) {
                        const std::vector<std::string> sets = {zero, tensor, pipeline, "parallel.data=null"};
                        const auto plan = load_plan(std::string(SHARDLENS_SOURCE_DIR) +
                                                        "/presets/plans/llama3-70b-64xh100.json",
                                                    sets);
                        if (!plan) continue;
                        const auto report = evaluate(*plan, catalog, {.timeline = false, .traffic = false});
                        if (!report) continue;
                        for (const launchers::File& file :
                             launcher.make(*(*report)->setup, **report, version).files) {
                            const auto found = launchers::detect(file.text, file.name);
                            if (found.ok() && (*found)->launcher == std::string_view(launcher.id))
                                samples[(*found)->id].push_back(file.text);
                        }
                    }
    return samples;
}

} // namespace

int main(int count, char** arguments) {
    const long inputs = count > 1 ? std::atol(arguments[1]) : 1000;
    const unsigned long seed = count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 1;
    if (inputs <= 0) {
        std::fprintf(stderr, "usage: imports_fuzz [INPUTS PER KIND [SEED [KIND …]]]\n");
        return 2;
    }
    const auto samples = sample_files();
    const std::vector<std::string> kinds(arguments + std::min(count, 3), arguments + count);
    for (const std::string& kind : kinds)
        if (const auto found = launchers::find_importer(kind); !found) {
            std::fprintf(stderr, "%s\n", found.error().line().c_str());
            return 2;
        }
    for (const launchers::Importer& importer : launchers::importers()) {
        if (!kinds.empty() && std::find(kinds.begin(), kinds.end(), importer.id) == kinds.end()) continue;
        const auto own = samples.find(importer.id);
        if (own == samples.end()) {
            std::fprintf(stderr, "%s: no sample: a file in tests/data/imports, or an export\n", importer.id);
            return 1;
        }
        Random random(seed);
        double slowest = 0;
        long refused = 0, complete = 0;
        for (long i = 0; i < inputs; ++i) {
            const std::string text = mutated(own->second, random);
            launchers::ImportOptions options;
            if (below(random, 8) != 0) options.kind = importer.id; // else by its look
            if (below(random, 4) == 0)
                options.sets = {"cluster.node=dgx-h100", "cluster.gpus=64", "training.sequence_length=4096",
                                "training.micro_batch_size=1", "training.global_batch_size=64"};
            const std::clock_t start = std::clock(); // of the processor: others may keep it busy
            const auto result = launchers::import_plan(text, "mutated", options);
            const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
            slowest = std::max(slowest, seconds);
            if (seconds > kMostSeconds) failed(importer, "took " + std::to_string(seconds) + " s", text);
            if (!result) {
                ++refused;
                if (!one_clear_line(result.error().line()))
                    failed(importer, "refusal: " + result.error().line(), text);
                continue;
            }
            complete += result->plan.has_value();
            for (const launchers::ImportNote& note : result->notes)
                if (!one_clear_line(note.line())) failed(importer, "note: " + note.line(), text);
        }
        std::printf("%-22s %ld inputs, %ld refused, %ld complete plans, slowest %.1f ms\n", importer.id,
                    inputs, refused, complete, 1e3 * slowest);
        std::fflush(stdout);
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("peak memory %ld MiB\n", usage.ru_maxrss / 1024);
#ifndef __SANITIZE_ADDRESS__ // a sanitizer's own memory is not ours
    if (usage.ru_maxrss > kMostKilobytes) return 1;
#endif
    return 0;
}
