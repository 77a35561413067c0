// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/document_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <toml++/toml.h>
#include <yaml-cpp/emitter.h>

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;

/// A word that no YAML 1.1 reader takes for a number, a boolean, null or a date.
bool is_plain_word(const std::string& text) {
    constexpr std::array<std::string_view, 11> kSpecial = {"y",    "n",     "yes",  "no",  "on", "off",
                                                           "true", "false", "null", "nan", "inf"};
    if (text.empty()) return false;
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    if (!letter(text[0])) return false;
    std::string lower = text;
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (std::find(kSpecial.begin(), kSpecial.end(), lower) != kSpecial.end()) return false;
    return std::all_of(text.begin(), text.end(), [&](char c) {
        return letter(c) || (c >= '0' && c <= '9') ||
               std::string_view("-./").find(c) != std::string_view::npos;
    });
}

/// "1.0e-08": YAML 1.1 wants a point in a number with an exponent.
std::string number_text(double value) {
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".n") == std::string::npos) {
        const std::size_t exponent = text.find('e');
        text.insert(exponent == std::string::npos ? text.size() : exponent, ".0");
    }
    return text;
}

void emit(YAML::Emitter& out, const Json& value) {
    switch (value.type()) {
    case Json::value_t::object:
        if (value.empty()) out << YAML::Flow;
        out << YAML::BeginMap;
        for (const auto& [key, member] : value.items()) {
            out << YAML::Key << key << YAML::Value;
            emit(out, member);
        }
        out << YAML::EndMap;
        return;
    case Json::value_t::array: {
        const bool scalars =
            std::none_of(value.begin(), value.end(), [](const Json& item) { return item.is_structured(); });
        if (scalars) out << YAML::Flow;
        out << YAML::BeginSeq;
        for (const Json& item : value) emit(out, item);
        out << YAML::EndSeq;
        return;
    }
    case Json::value_t::string: {
        const auto& text = value.get_ref<const std::string&>();
        if (!is_plain_word(text)) out << YAML::DoubleQuoted;
        out << text;
        return;
    }
    case Json::value_t::number_float: out << number_text(value.get<double>()); return;
    case Json::value_t::null: out << YAML::Null; return;
    default: out << value.dump(); return; // whole numbers, true and false
    }
}

toml::array to_toml_array(const Json& list);

toml::table to_toml(const Json& object) {
    toml::table table;
    for (const auto& [key, value] : object.items()) {
        switch (value.type()) {
        case Json::value_t::object: table.insert(key, to_toml(value)); break;
        case Json::value_t::array: table.insert(key, to_toml_array(value)); break;
        case Json::value_t::string: table.insert(key, value.get<std::string>()); break;
        case Json::value_t::boolean: table.insert(key, value.get<bool>()); break;
        case Json::value_t::number_float: table.insert(key, value.get<double>()); break;
        case Json::value_t::number_integer:
        case Json::value_t::number_unsigned: table.insert(key, value.get<std::int64_t>()); break;
        default: break;
        }
    }
    return table;
}

toml::array to_toml_array(const Json& list) {
    toml::array array;
    for (const Json& item : list) {
        if (item.is_array())
            array.push_back(to_toml_array(item));
        else if (item.is_object())
            array.push_back(to_toml(item));
        else if (item.is_string())
            array.push_back(item.get<std::string>());
        else if (item.is_boolean())
            array.push_back(item.get<bool>());
        else if (item.is_number_float())
            array.push_back(item.get<double>());
        else if (item.is_number())
            array.push_back(item.get<std::int64_t>());
    }
    return array;
}

} // namespace

std::string yaml_text(const Json& document) {
    YAML::Emitter out;
    emit(out, document);
    return std::string(out.c_str()) + "\n";
}

std::string toml_text(const Json& document) {
    std::ostringstream out;
    out << toml::toml_formatter{to_toml(document)};
    return out.str() + "\n";
}

} // namespace shardlens::launchers
