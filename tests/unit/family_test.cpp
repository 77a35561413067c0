// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.h"

#include <algorithm>
#include <set>

#include "model/counts.h"
#include "model/family.h"

using namespace shardlens;
using namespace shardlens::model;

namespace {

const Catalog& shipped() {
    static const Catalog catalog({presets_directory()});
    return catalog;
}

std::vector<std::string> ids_of(const std::vector<FamilyMember>& family) {
    std::vector<std::string> ids;
    for (const auto& member : family) ids.push_back(member.id);
    return ids;
}

} // namespace

TEST_CASE("the Llama slider steps from 1B to 405B") {
    const std::vector<std::string> expected = {"llama3.2-1b", "llama3.2-3b", "llama3-8b", "llama3-70b",
                                               "llama3.1-405b"};
    CHECK(ids_of(family_of(shipped(), "llama3-70b")) == expected);
    CHECK(ids_of(family_of(shipped(), "llama3.2-1b")) == expected);
    // Llama 3.1 8B has the size of Llama 3 8B: whoever asks is in the list.
    const auto other = ids_of(family_of(shipped(), "llama3.1-8b"));
    CHECK(std::count(other.begin(), other.end(), "llama3.1-8b") == 1);
    CHECK(std::count(other.begin(), other.end(), "llama3-8b") == 0);
}

TEST_CASE("the GPT slider steps from 124M to 1T") {
    const auto ids = ids_of(family_of(shipped(), "gpt3-175b"));
    REQUIRE(ids.size() > 10);
    CHECK(ids.front() == "gpt2-124m");
    CHECK(ids.back() == "megatron-1008.0b");
    for (const auto* id :
         {"gpt2-medium-355m", "gpt3-6.7b", "megatron-145.6b", "gpt3-175b", "megatron-529.6b"})
        CHECK(std::count(ids.begin(), ids.end(), id) == 1);
}

TEST_CASE("unknown models have no family") {
    CHECK(family_of(shipped(), "no-such-model").empty());
    CHECK(scaled(shipped(), {}, 1e9).layers == 0);
}

TEST_CASE("between presets the shape follows, at a preset it is the preset's") {
    std::set<std::string> done;
    for (const auto& id : shipped().ids(PresetKind::model)) {
        const auto family = family_of(shipped(), id);
        INFO(id);
        REQUIRE_FALSE(family.empty());
        CHECK(std::any_of(family.begin(), family.end(),
                          [&](const FamilyMember& member) { return member.id == id; }));
        if (!done.insert(family.front().id + family.back().id).second) continue;
        for (const auto& member : family) {
            const auto preset = shipped().model(member.id);
            REQUIRE(preset.ok());
            CHECK(scaled(shipped(), family, member.parameters) == (*preset)->shape);
        }
        double last = 0;
        for (double asked = family.front().parameters; asked < family.back().parameters; asked *= 1.013) {
            const auto shape = scaled(shipped(), family, asked);
            const double size = count_parameters<double>(shape).total;
            INFO("asked " << asked << " got " << size);
            CHECK(std::abs(size / asked - 1) < 0.15);
            CHECK(size >= last);
            last = size;
            CHECK(shape.heads % shape.kv() == 0);
            CHECK(shape.head_size() > 0);
            const bool preset_width =
                std::any_of(family.begin(), family.end(), [&](const FamilyMember& member) {
                    return (*shipped().model(member.id))->shape.hidden == shape.hidden;
                });
            CHECK((preset_width || shape.hidden % 128 == 0));
        }
    }
}

TEST_CASE("outside the range the ends stay") {
    const auto family = family_of(shipped(), "llama3-8b");
    CHECK(scaled(shipped(), family, 1).name == "Llama 3.2 1B");
    CHECK(scaled(shipped(), family, 0).name == "Llama 3.2 1B");
    CHECK(scaled(shipped(), family, -5).name == "Llama 3.2 1B");
    CHECK(scaled(shipped(), family, 1e16).name == "Llama 3.1 405B");
    CHECK(scaled(shipped(), family, std::numeric_limits<double>::quiet_NaN()).name == "Llama 3.2 1B");
}

// Halfway between 70B and 405B on the logarithmic scale: hidden and layers lie between the neighbours', heads
// keep their 128 columns and stay splittable by 8.
TEST_CASE("a shape between Llama 70B and 405B") {
    const auto family = family_of(shipped(), "llama3-70b");
    const auto shape = scaled(shipped(), family, 1.69e11);
    CHECK(shape.hidden > 8192);
    CHECK(shape.hidden < 16384);
    CHECK(shape.heads * 128 == shape.hidden);
    CHECK(shape.heads % 8 == 0);
    CHECK(shape.ffn_hidden % 128 == 0);
    CHECK(shape.layers >= 80);
    CHECK(shape.layers <= 126);
    CHECK(shape.vocab == 128256);
}
