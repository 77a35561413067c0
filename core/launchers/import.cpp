// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/import.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launchers/readers.h"
#include "plan/plan_json.h"
#include "plan/set_path.h"
#include "json/strict_json.h"
#include "json/text.h"

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;
using Kind = ImportNote::Kind;

/// A hostile file could have a million unknown keys; nobody reads more lines than this.
constexpr std::size_t kMostNotes = 2000;

std::optional<FieldValue> field_value(const Json& json) {
    if (json.is_boolean()) return json.get<bool>();
    if (json.is_number_integer()) return json.get<std::int64_t>();
    if (json.is_number_float()) return json.get<double>();
    if (json.is_string()) return json.get<std::string>();
    if (!json.is_array()) return std::nullopt;
    const auto all = [&](auto test) { return std::all_of(json.begin(), json.end(), test); };
    if (all([](const Json& item) { return item.is_number_integer(); }))
        return json.get<std::vector<std::int64_t>>();
    if (all([](const Json& item) { return item.is_string(); })) return json.get<std::vector<std::string>>();
    return std::nullopt;
}

Json::json_pointer pointer(std::string_view path) {
    std::string text = "/" + std::string(path);
    std::replace(text.begin(), text.end(), '.', '/');
    return Json::json_pointer(text);
}

/// What --set gives, for importers that must know it (a world, a degree).
Error give_sets(const ImportOptions& options, Imported& plan) {
    Json given = Json::object();
    for (const std::string& set : options.sets)
        if (Error error = detail::apply_set(given, set); !error.what.empty()) return error;
    for (const Field& field : fields()) {
        const Json::json_pointer at = pointer(field.path);
        if (!given.contains(at)) continue;
        if (auto value = field_value(given.at(at))) plan.give(field.path, std::move(*value));
    }
    return {};
}

Json to_document(const Imported& plan) {
    Json document = Json::object();
    document["schema"] = kPlanSchema;
    for (const Field& field : fields()) {
        const auto found = plan.values().find(field.path);
        const bool of_preset = document.contains("model") && document["model"].is_string() &&
                               std::string_view(field.path).starts_with("model.");
        if (found != plan.values().end() && !of_preset)
            document[pointer(field.path)] = to_json(found->second);
    }
    return document;
}

/// Is the field in the document, or in a model that a --set gives as a whole?
bool is_given(const Json& document, const ImportOptions& options, const std::string& path) {
    if (document.contains(pointer(path))) return true;
    return path.starts_with("model.") &&
           std::any_of(options.sets.begin(), options.sets.end(),
                       [](const std::string& set) { return set.starts_with("model="); });
}

/// The version that our exporters write into the comment a file begins with: "(megatron-lm@0.12)".
std::string version_in_header(std::string_view text, const Importer& importer) {
    const std::string name = fmt::format("({}@", importer.launcher);
    for (int line = 0; line < 20 && text.starts_with("#"); ++line) {
        const std::string_view comment = text.substr(0, text.find('\n'));
        if (const std::size_t at = comment.find(name); at != std::string_view::npos)
            for (const char* version : importer.versions)
                if (comment.substr(at + name.size()).starts_with(fmt::format("{})", version))) return version;
        text.remove_prefix(std::min(comment.size() + 1, text.size()));
    }
    return {};
}

std::string kinds() {
    std::string known;
    for (const Importer& importer : importers())
        known += fmt::format("{}{}", known.empty() ? "" : ", ", importer.id);
    return known;
}

} // namespace

const char* to_string(ImportNote::Kind kind) {
    switch (kind) {
    case Kind::read: return "read";
    case Kind::assumed: return "assumed";
    case Kind::missing: return "missing";
    case Kind::not_understood: return "not understood";
    case Kind::warning: break;
    }
    return "warning";
}

std::string ImportNote::text() const {
    return Message{Severity::info, "", "", text_template, arguments, {}}.text();
}

std::string ImportNote::line() const {
    std::string what = path;
    if (kind == Kind::read) {
        what += fmt::format(" = {} from {}", value, key);
    } else if (kind == Kind::assumed) {
        what += fmt::format(" = {}", value);
    } else if (!key.empty()) {
        what += fmt::format("{}{}{}{}", what.empty() ? "" : " (", key,
                            value.empty() ? "" : fmt::format(" = {}", value), what.empty() ? "" : ")");
    }
    const std::string reason = text();
    if (!reason.empty()) what += (what.empty() ? "" : ": ") + reason;
    return one_line(fmt::format("{}: {}", to_string(kind), what), 600);
}

void Imported::give(std::string path, FieldValue value) {
    m_given.insert_or_assign(std::move(path), std::move(value));
}

void Imported::note(ImportNote note) {
    if (m_notes.size() < kMostNotes) {
        note.key = one_line(note.key, 120);
        note.value = one_line(note.value, 120);
        for (std::string& argument : note.arguments) argument = one_line(argument, 200);
        m_notes.push_back(std::move(note));
        return;
    }
    ++m_beyond;
    if (m_beyond == 1)
        m_notes.push_back({Kind::warning, "", "", "", "and {0} more such lines", {"1"}});
    else
        m_notes.back().arguments = {std::to_string(m_beyond)};
}

bool Imported::read(std::string_view path, const FieldValue& value, std::string_view key,
                    std::string_view shown, std::string_view text, Arguments arguments) {
    const Field* field = find_field(path);
    const Result<FieldValue> checked =
        field ? check_value(*field, value) : Result<FieldValue>(Error{std::string(path), "is no field"});
    if (!checked) {
        not_understood(key, shown, "cannot be {0}: {1}", {std::string(path), checked.error().what});
        return false;
    }
    m_values.insert_or_assign(std::string(path), *checked);
    note({Kind::read, std::string(path), std::string(key), shardlens::to_text(*checked), std::string(text),
          std::move(arguments)});
    return true;
}

bool Imported::assume(std::string_view path, const FieldValue& value, std::string_view text,
                      Arguments arguments) {
    if (asked(path)) return false;
    const Field* field = find_field(path);
    const Result<FieldValue> checked =
        field ? check_value(*field, value) : Result<FieldValue>(Error{std::string(path), "is no field"});
    if (!checked) return false;
    m_values.insert_or_assign(std::string(path), *checked);
    note({Kind::assumed, std::string(path), "", shardlens::to_text(*checked), std::string(text),
          std::move(arguments)});
    return true;
}

void Imported::drop(std::string_view path) {
    if (const auto found = m_values.find(path); found != m_values.end()) m_values.erase(found);
    std::erase_if(m_notes, [&](const ImportNote& note) {
        return note.path == path && (note.kind == Kind::read || note.kind == Kind::assumed);
    });
}

void Imported::missing(std::string_view path, std::string_view text, Arguments arguments,
                       std::string_view key, std::string_view shown) {
    note({Kind::missing, std::string(path), std::string(key), std::string(shown), std::string(text),
          std::move(arguments)});
}

void Imported::needs(std::string_view path, std::string_view text, Arguments arguments, std::string_view key,
                     std::string_view shown) {
    if (has(path)) return;
    m_needed.emplace_back(path);
    missing(path, text, std::move(arguments), key, shown);
}

bool Imported::asked(std::string_view path) const {
    return std::find(m_needed.begin(), m_needed.end(), path) != m_needed.end() && !has(path);
}

void Imported::not_understood(std::string_view key, std::string_view shown, std::string_view text,
                              Arguments arguments) {
    note({Kind::not_understood, "", std::string(key), std::string(shown), std::string(text),
          std::move(arguments)});
}

void Imported::warn(std::string_view key, std::string_view shown, std::string_view text,
                    Arguments arguments) {
    note({Kind::warning, "", std::string(key), std::string(shown), std::string(text), std::move(arguments)});
}

std::optional<FieldValue> Imported::value(std::string_view path) const {
    if (const auto given = m_given.find(path); given != m_given.end()) return given->second;
    if (const auto read = m_values.find(path); read != m_values.end()) return read->second;
    return std::nullopt;
}

std::optional<std::int64_t> Imported::integer(std::string_view path) const {
    const auto found = value(path);
    if (!found) return std::nullopt;
    if (const auto* whole = std::get_if<std::int64_t>(&*found)) return *whole;
    const auto* number = std::get_if<double>(&*found);
    if (number && std::nearbyint(*number) == *number && std::abs(*number) < 9e15)
        return static_cast<std::int64_t>(*number);
    return std::nullopt;
}

const char* Imported::version_reason() const {
    switch (m_version_from) {
    case VersionFrom::asked: return "the version asked for";
    case VersionFrom::header: return "the version that its first lines name";
    case VersionFrom::newest: break;
    }
    return "the newest release";
}

bool Imported::has_note(ImportNote::Kind kind, std::string_view path) const {
    return std::any_of(m_notes.begin(), m_notes.end(),
                       [&](const ImportNote& note) { return note.kind == kind && note.path == path; });
}

std::span<const Importer> importers() {
    static const std::vector<Importer> all = {
        {"contract", "ShardLens plan", {}, "contract", looks_like_contract, read_contract},
        {"hf-config", "Hugging Face config.json", {}, "", looks_like_hf, read_hf},
        {"deepspeed", "DeepSpeed configuration", {"0.19"}, "deepspeed", looks_like_deepspeed, read_deepspeed},
        {"megatron-script",
         "Megatron-LM launch script",
         {"0.19", "0.16", "0.12", "main"},
         "megatron-lm",
         looks_like_megatron_script,
         read_megatron_script},
        {"mindspeed-script",
         "MindSpeed launch script",
         {"0.12"},
         "mindspeed",
         looks_like_mindspeed,
         read_mindspeed},
        {"megatron-model-args",
         "Megatron-LM MODEL_ARGS",
         {"0.19", "0.16", "0.12", "main"},
         "megatron-lm",
         looks_like_megatron_model_args,
         read_megatron_model_args},
        {"torchtitan-toml",
         "torchtitan configuration (TOML)",
         {"0.2.2"},
         "torchtitan",
         looks_like_torchtitan_toml,
         read_torchtitan_toml},
        {"torchtitan-python",
         "torchtitan configuration (Python)",
         {"main"},
         "torchtitan",
         looks_like_torchtitan_python,
         read_torchtitan_python},
        {"accelerate",
         "accelerate configuration",
         {"1.15"},
         "accelerate",
         looks_like_accelerate,
         read_accelerate},
        {"nanotron", "nanotron configuration", {"0.4"}, "nanotron", looks_like_nanotron, read_nanotron},
        {"llm-foundry",
         "llm-foundry training configuration",
         {"0.22"},
         "llm-foundry",
         looks_like_llm_foundry,
         read_llm_foundry},
        {"gpt-neox", "GPT-NeoX configuration", {}, "", looks_like_neox, read_neox},
        {"megatron-bridge",
         "Megatron-Bridge overrides",
         {"0.6"},
         "megatron-bridge",
         looks_like_bridge,
         read_bridge},
        {"colossalai", "ColossalAI plugin", {"0.5"}, "colossalai", looks_like_colossalai, read_colossalai},
        {"sagemaker", "SageMaker parameters", {"2", "1"}, "sagemaker", looks_like_sagemaker, read_sagemaker},
        {"bmtrain", "BMTrain initialization", {"1.0"}, "bmtrain", looks_like_bmtrain, read_bmtrain},
    };
    return all;
}

Result<std::pair<const Importer*, std::string>> find_importer(std::string_view kind) {
    const std::size_t at = kind.find('@');
    const std::string_view id = kind.substr(0, at);
    std::vector<std::string_view> ids;
    for (const Importer& importer : importers()) {
        ids.emplace_back(importer.id);
        if (id != importer.id) continue;
        if (at == std::string_view::npos)
            return std::pair{&importer,
                             std::string(importer.versions.empty() ? "" : importer.versions.front())};
        const std::string_view version = kind.substr(at + 1);
        for (const char* candidate : importer.versions)
            if (version == candidate) return std::pair{&importer, std::string(version)};
        return Error{fmt::format("kind of file {}", importer.id),
                     importer.versions.empty()
                         ? std::string("has no versions; the id alone is right")
                         : fmt::format("unknown version '{}'; known: {}", one_line(version),
                                       fmt::join(importer.versions, ", "))};
    }
    const std::string near = nearest(id, ids);
    return Error{"kind of file", near.empty()
                                     ? fmt::format("unknown '{}'; known: {}", one_line(id), kinds())
                                     : fmt::format("unknown '{}'; did you mean '{}'?", one_line(id), near)};
}

Result<const Importer*> detect(std::string_view text, const std::string& file_name) {
    const Importer* best = nullptr;
    int most = 0;
    for (const Importer& importer : importers()) {
        const int score = importer.looks_like(text, file_name);
        if (score > most) {
            most = score;
            best = &importer;
        }
    }
    if (best) return best;
    return Error{
        one_line(file_name, 200),
        fmt::format("is no kind of file that is known by its look; name it with --from: {}", kinds())};
}

Result<ImportResult> import_plan(std::string_view text, const std::string& origin,
                                 const ImportOptions& options) {
    if (text.size() > kMaxInputBytes)
        return Error{one_line(origin, 200), "is larger than 64 MiB; a smaller file is right"};
    // Readers copy texts into JSON, which is UTF-8.
    if (!valid_utf8(text)) {
        std::size_t at = 0;
        while (const std::size_t length = utf8_length(text, at)) at += length;
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        return Error{fmt::format("{}:{}", one_line(origin, 200), line),
                     "is not UTF-8; a text file in UTF-8 is right"};
    }
    ImportResult result;
    if (options.kind.empty()) {
        const Result<const Importer*> found = detect(text, origin);
        if (!found) return found.error();
        result.importer = *found;
        if (!result.importer->versions.empty()) result.version = result.importer->versions.front();
    } else {
        auto found = find_importer(options.kind);
        if (!found) return found.error();
        std::tie(result.importer, result.version) = *std::move(found);
    }
    Imported plan(options.part);
    if (options.kind.find('@') != std::string::npos) {
        plan.set_version_from(Imported::VersionFrom::asked);
    } else if (std::string version = version_in_header(text, *result.importer); !version.empty()) {
        result.version = std::move(version);
        plan.set_version_from(Imported::VersionFrom::header);
    }
    if (Error error = give_sets(options, plan); !error.what.empty()) return error;
    if (Error error = result.importer->read(text, origin, result.version, plan); !error.what.empty())
        return error;

    Json document = to_document(plan);
    for (const std::string& set : options.sets)
        if (Error error = detail::apply_set(document, set); !error.what.empty()) return error;
    const auto missing = missing_fields(document, origin);
    if (!missing) return missing.error();
    for (const Field* field : *missing)
        if (!plan.has_note(Kind::missing, field->path))
            plan.missing(field->path, "not in this file; {0} is right", {expectation(*field)});
    const bool complete =
        std::all_of(plan.needed().begin(), plan.needed().end(),
                    [&](const std::string& path) { return is_given(document, options, path); });
    if (missing->empty() && complete) {
        Result<Plan> read = plan_from_json(document, origin);
        if (!read) return read.error();
        result.plan = *std::move(read);
    }
    result.text = document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    result.notes = plan.notes();
    std::erase_if(result.notes, [&](const ImportNote& note) { // a set has filled it since
        return note.kind == Kind::missing && !note.path.empty() && is_given(document, options, note.path);
    });
    return result;
}

} // namespace shardlens::launchers
