// SPDX-License-Identifier: GPL-3.0-or-later
// YAML by the library's events instead of its nodes: they carry lines, and a budget can stop a file whose
// aliases of aliases would fill the memory.
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <unordered_map>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "launchers/import_documents.h"
#include "json/strict_json.h"
#include "json/text.h"

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxYamlBytes = std::size_t{8} << 20;
constexpr std::size_t kMaxYamlValues = 300'000;

/// Why reading stopped, thrown through the library's parser.
struct Stop : std::runtime_error {
    Stop(int at, const std::string& what) : std::runtime_error(what), line(at) {}
    int line;
};

/// A plain scalar as PyYAML types it.
Json plain(const std::string& text) {
    if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") return nullptr;
    for (const char* yes : {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"})
        if (text == yes) return true;
    for (const char* no : {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"})
        if (text == no) return false;
    std::string digits = text;
    std::erase(digits, '_');
    if (digits.starts_with("+")) digits.erase(0, 1);
    if (digits.empty() || text[0] == '_') return text;
    const char *begin = digits.data(), *end = begin + digits.size();
    std::int64_t count = 0;
    const bool leading_zero = digits.size() > 1 && digits[0] == '0';
    if (leading_zero && digits[1] == 'x') {
        const auto [stop, code] = std::from_chars(begin + 2, end, count, 16);
        return code == std::errc{} && stop == end ? Json(count) : Json(text);
    }
    // YAML 1.1: 010 is eight, 08 and 0o10 are text.
    if (leading_zero && digits.find('.') == std::string::npos) {
        const auto [stop, code] = std::from_chars(begin + 1, end, count, 8);
        return code == std::errc{} && stop == end ? Json(count) : Json(text);
    }
    if (const auto [stop, code] = std::from_chars(begin, end, count); code == std::errc{} && stop == end)
        return count;
    // "3e-4" is text there: a float needs its dot.
    if (digits.find('.') == std::string::npos ||
        digits.find_first_not_of("0123456789.eE+-") != std::string::npos)
        return text;
    double number = 0;
    if (const auto [stop, code] = std::from_chars(begin, end, number);
        code == std::errc{} && stop == end && std::isfinite(number))
        return number;
    return text;
}

class Builder : public YAML::EventHandler {
public:
    explicit Builder(Imported& plan) : m_plan(plan) {}

    std::vector<Json> documents;

    void OnDocumentStart(const YAML::Mark& mark) override {
        // At a stray '}' the parser makes empty documents for ever.
        if (m_document == mark.pos)
            throw Stop(mark.line, "a sign where no value can begin; a key or a value is right");
        m_document = mark.pos;
        m_stack.clear();
        m_anchors.clear();
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { value(mark, nullptr, anchor); }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = m_anchors.find(anchor);
        if (found == m_anchors.end())
            throw Stop(mark.line, "an alias inside its own anchor; a finished value is right");
        spend(mark, found->second.cost);
        value(mark, found->second.value, 0, found->second.cost);
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& text) override {
        if (!valid_utf8(text)) throw Stop(mark.line, "is not UTF-8 text; UTF-8 is right");
        const std::size_t cost = 1 + text.size() / 64;
        spend(mark, cost);
        note_tag(mark, tag);
        // '?' = plain, '!' = quoted, else a tag of its own.
        value(mark, tag == "!" || tag.ends_with(":str") || tag == "!!str" ? Json(text) : plain(text), anchor,
              cost);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(mark, tag, Json::array(), anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(mark, tag, Json::object(), anchor);
    }
    void OnMapEnd() override { close(); }

private:
    struct Anchored {
        Json value;
        std::size_t cost;
    };
    struct Level {
        YAML::Mark mark;
        Json value;
        YAML::anchor_t anchor;
        std::size_t cost = 1;
        std::optional<std::string> key;
        std::vector<Json> merged;                            ///< values behind "<<"
        std::unordered_map<std::string, std::size_t> places; ///< of keys in a map
    };

    void spend(const YAML::Mark& mark, std::size_t cost) {
        m_spent += cost;
        if (m_spent > kMaxYamlValues)
            throw Stop(mark.line, fmt::format("more than {} values with aliases written out; fewer are right",
                                              kMaxYamlValues));
    }

    void note_tag(const YAML::Mark& mark, const std::string& tag) {
        constexpr std::string_view kCore = "tag:yaml.org,2002:";
        if (tag.empty() || tag == "?" || tag == "!") return;
        if (tag.starts_with(kCore))
            for (const char* known : {"str", "int", "float", "bool", "null", "map", "seq"})
                if (tag.substr(kCore.size()) == known) return;
        m_plan.warn(fmt::format("line {}", mark.line + 1), tag, "a tag, not acted upon");
    }

    void open(const YAML::Mark& mark, const std::string& tag, Json empty, YAML::anchor_t anchor) {
        spend(mark, 1);
        note_tag(mark, tag);
        if (m_stack.size() >= static_cast<std::size_t>(kMaxJsonDepth))
            throw Stop(mark.line,
                       fmt::format("nested deeper than {} levels; fewer are right", kMaxJsonDepth));
        m_stack.push_back({mark, std::move(empty), anchor, 1, std::nullopt, {}, {}});
    }

    void close() {
        Level level = std::move(m_stack.back());
        m_stack.pop_back();
        for (const Json& from : level.merged) {
            const auto take = [&](const Json& map) {
                if (!map.is_object()) return;
                auto& members = level.value.get_ref<Json::object_t&>();
                for (const auto& [key, member] : map.items())
                    if (level.places.emplace(key, members.size()).second)
                        static_cast<Json::object_t::Container&>(members).emplace_back(key, member);
            };
            if (from.is_array())
                for (const Json& map : from) take(map);
            else
                take(from);
        }
        value(level.mark, std::move(level.value), level.anchor, level.cost);
    }

    void value(const YAML::Mark& mark, Json json, YAML::anchor_t anchor, std::size_t cost = 1) {
        if (anchor != 0) {
            spend(mark, cost); // the copy kept for aliases
            m_anchors.insert_or_assign(anchor, Anchored{json, cost});
        }
        if (m_stack.empty()) {
            if (!json.is_null()) documents.push_back(std::move(json));
            return;
        }
        Level& level = m_stack.back();
        level.cost += cost;
        if (level.value.is_array()) {
            level.value.push_back(std::move(json));
        } else if (!level.key) {
            if (json.is_structured()) throw Stop(mark.line, "a key that is a list or a map; a word is right");
            level.key = json.is_string() ? json.get<std::string>() : json.dump();
        } else {
            member(level, mark, std::move(json));
        }
    }

    void member(Level& level, const YAML::Mark& mark, Json json) {
        const std::string key = *std::move(level.key);
        level.key.reset();
        if (key == "<<") {
            level.merged.push_back(std::move(json));
            return;
        }
        Json::object_t::Container& members = level.value.get_ref<Json::object_t&>();
        const auto [place, fresh] = level.places.emplace(key, members.size());
        if (fresh) {
            members.emplace_back(key, std::move(json));
            return;
        }
        m_plan.warn(fmt::format("{} (line {})", key, mark.line + 1), json.is_structured() ? "…" : json.dump(),
                    "given twice, the last one counts");
        members[place->second].second = std::move(json);
    }

    Imported& m_plan;
    std::vector<Level> m_stack;
    std::map<YAML::anchor_t, Anchored> m_anchors;
    std::size_t m_spent = 0;
    int m_document = -1; ///< where the last one began
};

} // namespace

Result<std::vector<Json>> yaml_documents(std::string_view text, const std::string& origin, Imported& plan) {
    const std::string where = one_line(origin, 200);
    if (text.size() > kMaxYamlBytes) return Error{where, "is larger than 8 MiB; a smaller file is right"};
    Builder builder(plan);
    try {
        std::istringstream stream{std::string(text)};
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {
        }
    } catch (const Stop& stop) {
        return Error{fmt::format("{}:{}", where, stop.line + 1), stop.what()};
    } catch (const YAML::Exception& error) {
        return Error{fmt::format("{}:{}", where, error.mark.line + 1),
                     fmt::format("is not YAML: {}", one_line(error.msg, 200))};
    }
    return std::move(builder.documents);
}

void drop_interpolations(Json& document, Imported& plan, const std::string& prefix) {
    if (document.is_structured()) {
        for (auto& [key, member] : document.items())
            drop_interpolations(member, plan, prefix.empty() ? key : fmt::format("{}.{}", prefix, key));
        return;
    }
    if (!document.is_string()) return;
    const auto& text = document.get_ref<const std::string&>();
    if (text.find("${") == std::string::npos) return;
    plan.not_understood(prefix, text, "refers to a value outside this file");
    document = nullptr;
}

} // namespace shardlens::launchers
