// SPDX-License-Identifier: GPL-3.0-or-later
// Plans drawn from the field table survive JSON, `--set` and the hands of others.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include "catch.h"
#include "plan/edit.h"
#include "plan/fields.h"
#include "plan/plan_json.h"
#include "json/strict_json.h"
#include "json/text.h"

using namespace shardlens;

namespace {

std::string random_text() {
    // One byte, two, three and four; quotes and backslashes; never a control character.
    static const std::vector<std::string> kPieces = {
        "a", "Z", "0", " ", ".", "-", "\"", "\\", "/", "{}", "é", "漢", "\xF0\x9F\x98\x80"};
    std::string text;
    const int length = *rc::gen::inRange(1, 12);
    for (int i = 0; i < length; ++i) text += *rc::gen::elementOf(kPieces);
    return text;
}

/// Between the bounds, often at them, over all magnitudes.
double random_number(const Field& field) {
    const double low = std::max(field.minimum, 1e-6);
    const double share = *rc::gen::inRange(0, 1'000'001) / 1e6;
    switch (*rc::gen::inRange(0, 4)) {
    case 0: return field.minimum;
    case 1: return field.maximum;
    default: return std::clamp(low * std::pow(field.maximum / low, share), field.minimum, field.maximum);
    }
}

std::int64_t random_whole(const Field& field) {
    return static_cast<std::int64_t>(
        std::clamp(std::floor(random_number(field)), field.minimum, field.maximum));
}

/// Any value that the field takes.
FieldValue random_value(const Field& field) {
    switch (field.type) {
    case FieldType::boolean: return *rc::gen::arbitrary<bool>();
    case FieldType::integer: return random_whole(field);
    case FieldType::number: return random_number(field);
    case FieldType::text:
        if (field.path == std::string_view("target"))
            return *rc::gen::element<std::string>("megatron-lm", "megatron-lm@0.12", "torchtitan@main", "deepspeed");
        if (field.check_text)
            return *rc::gen::element<std::string>("pp-dp-cp-tp", "tp-cp-ep-pp-dp", "megatron");
        return random_text();
    case FieldType::choice: return std::string(*rc::gen::elementOf(field.choices));
    case FieldType::integer_list: {
        std::vector<std::int64_t> list(static_cast<std::size_t>(*rc::gen::inRange(0, 6)));
        for (auto& number : list) number = random_whole(field);
        return list;
    }
    case FieldType::choice_list: {
        std::vector<std::string> list;
        for (const std::string_view choice : field.choices)
            if (*rc::gen::arbitrary<bool>()) list.emplace_back(choice);
        return list;
    }
    case FieldType::text_list: {
        std::vector<std::string> list(static_cast<std::size_t>(*rc::gen::inRange(0, 4)));
        for (auto& text : list) text = random_text();
        return list;
    }
    }
    return {};
}

/// Required fields always, the others by a coin.
Plan random_plan() {
    Plan plan;
    const bool shape = *rc::gen::arbitrary<bool>();
    const bool moe = shape && *rc::gen::arbitrary<bool>();
    const bool mla = shape && *rc::gen::arbitrary<bool>();
    if (shape) plan.model = ModelShape{};
    for (const Field& field : fields()) {
        const std::string_view path(field.path);
        if (path == "model" && shape) continue;
        if (path.starts_with("model.") && !shape) continue;
        if (path.starts_with("model.moe.") && !moe) continue;
        if (path.starts_with("model.mla.") && !mla) continue;
        const bool must = field.required || (path == "model.ffn_hidden" && !moe);
        if (!must && *rc::gen::arbitrary<bool>()) continue;
        const Error error = set_field(plan, path, random_value(field));
        RC_ASSERT(error.what.empty());
    }
    return plan;
}

/// A refusal is one line of text with a place in front.
bool one_line_error(const Error& error) {
    const std::string line = error.line();
    const bool printable = std::none_of(line.begin(), line.end(), [](char c) { return c >= 0 && c < 0x20; });
    return printable && valid_utf8(line) && !error.where.empty() && error.what.size() > 5 &&
           line.size() < 2000;
}

} // namespace

TEST_CASE("a plan survives being written and read") {
    CHECK(rc::check([] {
        const Plan plan = random_plan();
        const std::string text = plan_to_text(plan);
        const auto back = parse_plan(text, "plan.json");
        if (!back) RC_FAIL(back.error().line() + "\n" + text);
        RC_ASSERT(*back == plan);
        RC_ASSERT(plan_to_text(*back) == text);
        if (const auto* shape = std::get_if<ModelShape>(&plan.model)) {
            const auto again = model_from_json(model_to_json(*shape), "model.json", "");
            RC_ASSERT(again.ok());
            RC_ASSERT(*again == *shape);
        }
    }));
}

TEST_CASE("--set of any field does what setting the field does") {
    CHECK(rc::check([] {
        const Plan plan = random_plan();
        const Field& field = fields()[*rc::gen::inRange<std::size_t>(0, fields().size())];
        const FieldValue value = random_value(field);
        Plan expected = plan;
        RC_PRE(set_field(expected, field.path, value).what.empty());
        // A new part needs its required fields; one of them alone does not read.
        const auto* shape = std::get_if<ModelShape>(&plan.model);
        if (field.group() == "model.moe") RC_PRE(shape && shape->moe.has_value());
        if (field.group() == "model.mla") RC_PRE(shape && shape->mla.has_value());
        const std::vector<std::string> sets = {std::string(field.path) + "=" + to_json(value).dump()};
        const auto read = parse_plan(plan_to_text(plan), "plan.json", sets);
        if (!read) RC_FAIL(read.error().line());
        RC_ASSERT(*read == expected);
    }));
}

TEST_CASE("--set of any field to null leaves it out, or says that it must be given") {
    CHECK(rc::check([] {
        const Plan plan = random_plan();
        const Field& field = fields()[*rc::gen::inRange<std::size_t>(0, fields().size())];
        RC_PRE(get_field(plan, field.path) != FieldValue{});
        const bool dense_width = field.path == std::string_view("model.ffn_hidden") &&
                                 !std::get<ModelShape>(plan.model).moe.has_value();
        const std::vector<std::string> sets = {std::string(field.path) + "=null"};
        const auto read = parse_plan(plan_to_text(plan), "plan.json", sets);
        if (field.required || dense_width) {
            RC_ASSERT_FALSE(read.ok());
            RC_ASSERT(read.error().what.find("is missing") != std::string::npos);
        } else {
            Plan expected = plan;
            RC_ASSERT(set_field(expected, field.path, {}).what.empty());
            RC_ASSERT(read.ok());
            RC_ASSERT(*read == expected);
        }
    }));
}

TEST_CASE("a plan with bytes changed reads or is refused with one line") {
    CHECK(rc::check([] {
        std::string text = plan_to_text(random_plan());
        const int changes = *rc::gen::inRange(1, 6);
        for (int i = 0; i < changes && !text.empty(); ++i) {
            const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
            // Half of the bytes are ones that JSON is made of, to get past the first brace.
            const char byte =
                *rc::gen::oneOf(rc::gen::elementOf(std::string("{}[]\",:.-+eE0123456789 \n\\tfnu")),
                                rc::gen::arbitrary<char>());
            switch (*rc::gen::inRange(0, 5)) {
            case 0: text[at] = byte; break;
            case 1: text.insert(at, 1, byte); break;
            case 2: text.erase(at, 1); break;
            case 3: text.resize(at); break;
            default: text.insert(at, text.substr(at, 40)); break;
            }
        }
        const auto read = parse_plan(text, "plan.json");
        if (read)
            RC_ASSERT(*parse_plan(plan_to_text(*read), "again") == *read);
        else
            RC_ASSERT(one_line_error(read.error()));
    }));
}

TEST_CASE("what the strict parser takes, the library's parser takes and sees alike") {
    CHECK(rc::check([] {
        const std::string alphabet = "{}[]\",:.-+eE0123456789 \n\\tfnu";
        std::string text = *rc::gen::element<std::string>(
            "{\"a\": [1, -2.5e3, \"x\\u00e9\\n\"], \"b\": {\"c\": null, \"d\": true}}", "[0, 1e5, [], {}]",
            "\"\\ud83d\\ude00\"", "-0.1E-2", "[false, {\"k\": \"\\\"\"}]");
        const int changes = *rc::gen::inRange(0, 4);
        for (int i = 0; i < changes && !text.empty(); ++i) {
            const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
            const char byte = *rc::gen::elementOf(alphabet);
            if (*rc::gen::arbitrary<bool>())
                text[at] = byte;
            else
                text.insert(at, 1, byte);
        }
        const auto strict = parse_strict(text, "x");
        const auto library = nlohmann::ordered_json::parse(text, nullptr, false);
        if (strict) {
            RC_ASSERT_FALSE(library.is_discarded());
            RC_ASSERT(*strict == library);
        } else {
            RC_ASSERT(one_line_error(strict.error()));
            // Refused beyond the grammar: duplicate keys and numbers that do not fit.
            const std::string& what = strict.error().what;
            const bool stricter =
                what.find("duplicate key") == 0 || what.find("outside the range") != std::string::npos;
            RC_ASSERT((library.is_discarded() || stricter));
        }
    }));
}

TEST_CASE("an edit keeps a plan that reads, or changes nothing") {
    CHECK(rc::check([] {
        Plan plan = random_plan();
        const Plan before = plan;
        const Field& field = fields()[*rc::gen::inRange<std::size_t>(0, fields().size())];
        const FieldValue value = random_value(field);
        const Error error = edit_field(plan, field.path, value);
        if (!error.what.empty()) {
            RC_ASSERT(plan == before);
            return;
        }
        RC_ASSERT(get_field(plan, field.path) == value);
        const auto* shape = std::get_if<ModelShape>(&before.model);
        if (field.group() == "model.moe") RC_PRE(shape && shape->moe.has_value());
        if (field.group() == "model.mla") RC_PRE(shape && shape->mla.has_value());
        RC_ASSERT(*parse_plan(plan_to_text(plan), "plan.json") == plan);
    }));
}
