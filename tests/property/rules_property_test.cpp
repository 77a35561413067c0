// SPDX-License-Identifier: GPL-3.0-or-later
// Fixes do what they say, whatever the plan.
#include "catch.h"
#include "random_plans.h"

#include <algorithm>
#include <set>

#include "plan/edit.h"
#include "plan/fields.h"
#include "plan/plan_json.h"
#include "rules/support.h"

using namespace shardlens;

namespace {

const Catalog& catalog() {
    static const Catalog kCatalog({presets_directory()});
    return kCatalog;
}

Setup resolved(const Plan& plan) {
    Result<Setup> setup = resolve(plan, catalog());
    if (!setup) FAIL(setup.error().line());
    return std::move(setup).value();
}

std::set<std::string> codes(const std::vector<Message>& messages, Severity severity) {
    std::set<std::string> result;
    for (const Message& message : messages)
        if (message.severity == severity) result.insert(message.code);
    return result;
}

} // namespace

TEST_CASE("every fix removes its message and brings no new error; every error has one") {
    CHECK(rc::check([] {
        const Plan plan = random_plan();
        const std::vector<Message> messages = rules::check(resolved(plan));
        const std::set<std::string> errors = codes(messages, Severity::error);
        for (const Message& message : messages) {
            RC_LOG() << plan_to_text(plan) << message.code << ": " << message.text() << std::endl;
            RC_ASSERT(find_field(message.path) != nullptr || message.path == "model.mla");
            RC_ASSERT(message.text().find('{') == std::string::npos);
            RC_ASSERT(message.severity != Severity::error || !message.fixes.empty());
            for (const Fix& fix : message.fixes) {
                Plan fixed = plan;
                const Error error = apply_fix(fixed, fix);
                RC_ASSERT(error.what == "");
                RC_ASSERT(!(fixed == plan));
                const std::vector<Message> after = rules::check(resolved(fixed));
                for (const Message& left : after) {
                    RC_ASSERT(left.code != message.code);
                    if (left.severity == Severity::error) RC_ASSERT(errors.count(left.code) == 1);
                }
            }
        }
    }));
}

TEST_CASE("degrees filled in again after an edit are those of the catalogue") {
    CHECK(rc::check([] {
        const Plan plan = random_plan();
        const Setup expected = resolved(plan);
        Setup setup = expected; // presets stay as they are
        setup.tensor = setup.pipeline = setup.virtual_pipeline = setup.context = setup.data = setup.expert =
            77;
        setup.expert_tensor = setup.expert_data = setup.micro_batches = setup.zero = 77;
        setup.layers_per_chunk.clear();
        setup.schedule = ScheduleKind::gpipe;
        rules::derive(setup, true);
        RC_ASSERT(setup.tensor == expected.tensor);
        RC_ASSERT(setup.pipeline == expected.pipeline);
        RC_ASSERT(setup.virtual_pipeline == expected.virtual_pipeline);
        RC_ASSERT(setup.context == expected.context);
        RC_ASSERT(setup.data == expected.data);
        RC_ASSERT(setup.expert == expected.expert);
        RC_ASSERT(setup.expert_tensor == expected.expert_tensor);
        RC_ASSERT(setup.expert_data == expected.expert_data);
        RC_ASSERT(setup.micro_batches == expected.micro_batches);
        RC_ASSERT(setup.zero == expected.zero);
        RC_ASSERT(setup.schedule == expected.schedule);
        RC_ASSERT(setup.context_kind == expected.context_kind);
        RC_ASSERT(setup.layers_per_chunk == expected.layers_per_chunk);
    }));
}

TEST_CASE("legal values break no error rule that another value would keep") {
    CHECK(rc::check([] {
        Plan plan = random_plan();
        const std::set<std::string> before = codes(rules::check(resolved(plan)), Severity::error);
        const std::string path = *rc::gen::element<std::string>(
            "parallel.tensor", "parallel.pipeline", "parallel.virtual_pipeline", "parallel.context",
            "parallel.expert", "parallel.zero", "parallel.shard_group", "training.micro_batch_size",
            "training.sequence_length", "training.global_batch_size", "cluster.gpus", "parallel.data");
        const std::vector<std::int64_t> values = rules::legal_values(plan, catalog(), path);
        RC_LOG() << plan_to_text(plan) << path << std::endl;
        RC_ASSERT(std::is_sorted(values.begin(), values.end()));
        for (const std::int64_t value : values) {
            Plan edited = plan;
            RC_ASSERT(edit_field(edited, path, FieldValue(value)).what == "");
        }
        if (!before.empty()) return;
        // A whole plan: every value keeps it whole, and the present one is among them.
        const FieldValue now = get_field(plan, path);
        if (const std::int64_t* number = std::get_if<std::int64_t>(&now))
            RC_ASSERT(std::binary_search(values.begin(), values.end(), *number));
        std::size_t broken = 0;
        for (const std::int64_t value : values) {
            Plan edited = plan;
            (void)edit_field(edited, path, FieldValue(value));
            for (const std::string& code : codes(rules::check(resolved(edited)), Severity::error)) {
                RC_LOG() << value << " breaks " << code << std::endl;
                // Where nothing else is legal, values that only the batch, the length of a sequence or
                // sequence parallelism forbids are offered.
                RC_ASSERT(path.rfind("training.", 0) != 0);
                const auto rule = std::find_if(rules::table().begin(), rules::table().end(),
                                               [&](const rules::Rule& row) { return row.code == code; });
                RC_ASSERT(std::string(rule->path).rfind("training.", 0) == 0 ||
                          std::string(rule->path) == "parallel.sequence");
                ++broken;
            }
        }
        RC_ASSERT(broken == 0 || values.size() - broken <= 1 || path.rfind("training.", 0) != 0);
    }));
}
