// SPDX-License-Identifier: GPL-3.0-or-later
// Every file of tests/data/malformed is refused with one line that says what is wrong. The files were written
// by hand or cut out of the contract's example plan; the fragments say what a reader of the file would be
// told.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>

#include "catch.h"
#include "plan/plan_json.h"
#include "json/text.h"

using namespace shardlens;

namespace {

struct Row {
    const char* name;     ///< file name without ".json"
    const char* fragment; ///< must stand in the error's line
};

const Row kRows[] = {
    {"empty", "is empty"},
    {"only-spaces", "is empty"},
    {"only-newlines", "is empty"},
    {"byte-order-mark", "byte order mark"},
    {"utf-16-le", "UTF-16"},
    {"utf-16-be", "UTF-16"},
    {"utf-16-no-mark", "zero bytes"},
    {"utf-32", "zero bytes"},
    {"binary-elf", "'\\x7F' where a value"},
    {"binary-gzip", "'\\x1F' where a value"},
    {"zero-bytes", "zero bytes"},
    {"yaml", "'schema' where a value is expected"},
    {"toml", "'cluster' where a value is expected"},
    {"html", "'<' where a value is expected"},
    {"truncated-brace", "the text ends where a key is expected"},
    {"truncated-in-key", "a string that never ends"},
    {"truncated-behind-key", "the text ends behind the key stack; ':' is right"},
    {"truncated-behind-colon", "the text ends where a value is expected at stack"},
    {"truncated-in-string", "a string that never ends at stack"},
    {"truncated-in-number", "the text ends behind training.sequence_length; ',' or '}' is right"},
    {"truncated-in-exponent", "a digit in the exponent"},
    {"truncated-in-list", "the text ends where a value is expected at parallel.layers_per_stage.0"},
    {"truncated-in-literal", "'tr' where a value is expected at parallel.sequence"},
    {"truncated-behind-comma", "the text ends where a key is expected"},
    {"truncated-half", "a string that never ends at parallel"},
    {"truncated-last-brace", "',' or '}' is right"},
    {"trailing-comma-object", "a comma before '}'"},
    {"trailing-comma-list", "a comma before ']'"},
    {"missing-comma", "malformed/missing-comma.json:5: '\"' behind stack"},
    {"missing-colon", "behind the key stack; ':' is right"},
    {"single-quotes", "a key in single quotes"},
    {"single-quoted-value", "a single quote at model"},
    {"unquoted-key", "'model' where a key is expected"},
    {"line-comment", "a comment; JSON has none"},
    {"hash-comment", "a comment; JSON has none"},
    {"text-behind", "malformed/text-behind.json:18: '{' after the end of the document"},
    {"two-documents", "'{' after the end of the document"},
    {"closing-twice", "'}' after the end of the document"},
    {"wrong-bracket", "',' or ']' is right"},
    {"python-none", "'None' where a value is expected at training.tokens"},
    {"python-true", "'True' where a value is expected at parallel.sequence"},
    {"undefined", "'undefined' where a value is expected"},
    {"newline-in-string", "control character \\x0A inside a string at name"},
    {"tab-in-string", "control character \\x09 inside a string at name"},
    {"zero-in-string", "control character \\x00 inside a string at name"},
    {"unknown-escape", "unknown escape \\p"},
    {"short-unicode-escape", "\\u without four hexadecimal digits"},
    {"lone-high-surrogate", "half of a surrogate pair"},
    {"lone-low-surrogate", "half of a surrogate pair"},
    {"latin-1", "byte \\xE8 is not UTF-8 at name"},
    {"overlong-utf-8", "byte \\xC0 is not UTF-8 at name"},
    {"utf-8-surrogate", "byte \\xED is not UTF-8 at name"},
    {"control-character-escaped", "name: \"two\\x0Alines\" has a control character"},
    {"unterminated-string", "inside a string at model"},
    {"nan", "NaN is not a JSON number at training.tokens"},
    {"infinity", "Infinity is not a JSON number at training.tokens"},
    {"minus-infinity", "is not a JSON number at training.tokens"},
    {"1e999", "1e999 is outside the range of a double at training.tokens"},
    {"minus-1e999", "-1e999 is outside the range of a double at cluster.gpus"},
    {"huge-digits", "is outside the range of a double at cluster.gpus"},
    {"leading-zero", "a number without leading zeros"},
    {"leading-plus", "'+' where a value is expected at cluster.gpus"},
    {"leading-dot", "'.' where a value is expected at memory.usable_fraction"},
    {"trailing-dot", "a digit behind '.'"},
    {"hexadecimal", "a plain decimal number"},
    {"digit-groups", "a plain decimal number"},
    {"only-minus", "a digit behind '-'"},
    {"gpus-1e308", "cluster.gpus: 1e308 is out of bounds; a whole number from 1 to 10000000"},
    {"tokens-1e308", "training.tokens: 1e308 is out of bounds"},
    {"tensor-1e308", "parallel.tensor: 1e308 is out of bounds; a whole number from 1 to 2147483647"},
    {"usable-1e308", "memory.usable_fraction: 1e308 is out of bounds"},
    {"layers-per-stage-1e308",
     "parallel.layers_per_stage.1: 1e+308 is no such number; a list of whole numbers from 0 to 100000"},
    {"memory-bytes-1e308", "cluster.memory_bytes: 1e308 is out of bounds"},
    {"parameters-1e308", "model.parameters: 1e308 is out of bounds; a number from 1 to 1e16"},
    {"int64-overflow", "cluster.gpus: 9.223372036854776e18 is out of bounds"},
    {"uint64-overflow", "cluster.gpus: 1e20 is out of bounds"},
    {"gpus-too-many", "cluster.gpus: 10000001 is out of bounds; a whole number from 1 to 10000000"},
    {"layers-too-many", "model.layers: 100001 is out of bounds; a whole number from 1 to 100000"},
    {"sequence-too-long", "training.sequence_length: 1000000001 is out of bounds"},
    {"count-too-large",
     "training.global_batch_size: 2147483648 is out of bounds; a whole number from 1 to 2147483647"},
    {"zero-gpus", "cluster.gpus: 0 is out of bounds"},
    {"negative-tensor", "parallel.tensor: -8 is out of bounds"},
    {"negative-list", "parallel.layers_per_stage: -1 is out of bounds (position 1)"},
    {"zero-stage-4", "parallel.zero: 4 is out of bounds; a whole number from 0 to 3"},
    {"half-a-gpu", "cluster.gpus: 1.5 is not whole"},
    {"usable-above-one", "memory.usable_fraction: 1.1 is out of bounds"},
    {"usable-zero", "memory.usable_fraction: 0 is out of bounds"},
    {"number-as-text", "parallel.tensor: \"8\" is text; a whole number"},
    {"fraction-as-text", "memory.usable_fraction: \"90%\" is text; a number"},
    {"boolean-as-number", "parallel.sequence: 1 is a number; true or false"},
    {"boolean-as-text", "parallel.sequence: \"true\" is text; true or false"},
    {"number-as-boolean", "parallel.zero: true"},
    {"text-as-number", "name: 70 is a number; text"},
    {"list-for-object", "cluster: a list; an object"},
    {"text-for-object", "overlap: \"all\" is text; an object"},
    {"null-for-object", "overlap: null; an object"},
    {"object-for-number", "parallel.tensor: an object; a whole number"},
    {"list-for-number", "parallel.tensor: a list; a whole number"},
    {"number-for-list", "parallel.layers_per_stage: 20 is a number; a list"},
    {"text-in-number-list", "parallel.layers_per_stage.1: \"20\" is text"},
    {"half-in-number-list", "parallel.layers_per_stage.1: 19.5 is no such number"},
    {"number-in-text-list", "memory.recompute_modules.1: 3 is a number"},
    {"null-value", "training.tokens: null; a number from 1 to 1e18 is right, or the key left out"},
    {"model-a-number", "model: 70 is a number; the id of a model preset, or a model object"},
    {"model-a-list", "model: a list; the id of a model preset, or a model object"},
    {"model-empty", "model: empty text"},
    {"document-a-list", "the document: a list; an object"},
    {"document-a-text", "the document: \"llama3-70b\" is text; an object"},
    {"document-a-number", "the document: 42 is a number; an object"},
    {"document-null", "the document: null; an object"},
    {"unknown-top-key", "fidelty: unknown key \"fidelty\"; did you mean \"fidelity\"?"},
    {"unknown-group-key", "parallel.tensr: unknown key \"tensr\"; did you mean \"tensor\"?"},
    {"unknown-model-key", "model.hiden: unknown key \"hiden\"; did you mean \"hidden\"?"},
    {"unknown-moe-key", "model.moe.expert: unknown key \"expert\"; did you mean \"experts\"?"},
    {"unknown-mla-key", "model.mla.vdim: unknown key \"vdim\"; did you mean \"v_dim\"?"},
    {"key-of-another-group", "overlap.zero: unknown key \"zero\"; parallel.zero is right"},
    {"dotted-key", "unknown key \"parallel.tensor\""},
    {"capital-key", "parallel.Tensor: unknown key \"Tensor\"; did you mean \"tensor\"?"},
    {"control-character-key", "unknown key \"ten\\x0Asor\""},
    {"unknown-precision", "training.precision: \"bf61\" is unknown; one of fp32, fp16, bf16, fp8, mxfp8, "
                          "nvfp4 is right; did you mean \"bf16\"?"},
    {"unknown-schedule", "parallel.schedule: \"1b1f\" is unknown"},
    {"asynchronous-schedule", "parallel.schedule: \"pipedream\" is asynchronous"},
    {"unknown-module", "did you mean \"mlp\"?"},
    {"module-twice", "\"mlp\" stands twice"},
    {"unknown-bias", "model.biases: \"qvk\" is unknown"},
    {"rank-order-incomplete", "parallel.rank_order: \"tp-dp\" is unknown"},
    {"rank-order-twice", "parallel.rank_order: \"tp-tp-cp-dp-pp\" is unknown"},
    {"many-zero-bytes-inside", "control character \\x00 inside a string at name"},
    {"duplicate-top-key", "malformed/duplicate-top-key.json:15: duplicate key \"stack\" (stack)"},
    {"duplicate-group", "duplicate key \"memory\" (memory)"},
    {"duplicate-group-key", "duplicate key \"tensor\" (parallel.tensor)"},
    {"duplicate-moe-key", "duplicate key \"experts\" (model.moe.experts)"},
    {"duplicate-escaped-key", "duplicate key \"tensor\" (parallel.tensor)"},
    {"schema-missing", "schema is missing; \"schema\": \"shardlens/plan/1\" is right"},
    {"schema-newer", "schema: \"shardlens/plan/2\" is not known; \"shardlens/plan/1\" is right"},
    {"schema-of-a-report", "schema: \"shardlens/report/1\" is not known"},
    {"schema-a-number", "schema: 1 is a number; \"shardlens/plan/1\" is right"},
    {"empty-object", "schema is missing"},
    {"only-schema", "model, cluster.node, cluster.gpus, training.sequence_length, training.micro_batch_size, "
                    "training.global_batch_size are missing"},
    {"gpus-missing", "cluster.gpus is missing; a whole number from 1 to 10000000 is right"},
    {"micro-batch-missing", "training.micro_batch_size is missing"},
    {"layers-missing", "model.layers is missing"},
    {"experts-missing", "model.moe.experts is missing"},
    {"kv-rank-missing", "model.mla.kv_rank is missing"},
    {"model-empty-object", "model.layers, model.hidden, model.heads, model.ffn_hidden (or "
                           "model.moe.expert_ffn), model.vocab are missing"},
    {"ffn-missing", "model.ffn_hidden (or model.moe.expert_ffn) is missing"},
    {"deep-lists", "nested deeper than 32 levels"},
    {"deep-objects", "nested deeper than 32 levels"},
    {"deep-closed", "nested deeper than 32 levels"},
    {"long-key", "unknown key \"kkkk"},
    {"long-text-for-number", "parallel.tensor: \"8888"},
};

std::string file_of(const Row& row) { return data_file(std::string("malformed/") + row.name + ".json"); }

} // namespace

TEST_CASE("every malformed plan is refused with the one line that explains it") {
    for (const Row& row : kRows) {
        INFO(row.name);
        const auto start = std::chrono::steady_clock::now();
        const auto plan = load_plan(file_of(row));
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        CHECK(took.count() < 2);
        REQUIRE_FALSE(plan.ok());
        const std::string line = plan.error().line();
        INFO(line);
        CHECK(line.find(row.fragment) != std::string::npos);
        CHECK(line.starts_with(file_of(row)));
        CHECK(valid_utf8(line));
        CHECK(line.size() < file_of(row).size() + 600);
        CHECK(std::none_of(line.begin(), line.end(), [](char c) { return c >= 0 && c < 0x20; }));
    }
}

TEST_CASE("the table and the folder of malformed plans hold the same files") {
    std::set<std::string> known, found;
    for (const Row& row : kRows) known.insert(row.name);
    for (const auto& entry : std::filesystem::directory_iterator(data_file("malformed")))
        if (entry.path().extension() == ".json") found.insert(entry.path().stem().string());
    CHECK(known == found);
    CHECK(known.size() >= 60);
    CHECK(known.size() == std::size(kRows));
}
