// SPDX-License-Identifier: GPL-3.0-or-later
// torchtitan's TOML, up to 0.2.2.
#include <nlohmann/json.hpp>

#include "launchers/import_documents.h"
#include "launchers/read_torchtitan.h"
#include "launchers/readers.h"
#include "launchers/torchtitan.h"

namespace shardlens::launchers {

int looks_like_torchtitan_toml(std::string_view text, std::string_view file_name) {
    const auto has = [&](const char* part) { return text.find(part) != std::string_view::npos; };
    const int toml = file_name.ends_with(".toml") ? 10 : 0;
    if (has("[parallelism]") || has("[activation_checkpoint]")) return 80 + toml;
    return has("[training]") && (has("seq_len") || has("_parallel_degree")) ? 60 + toml : 0;
}

Error read_torchtitan_toml(std::string_view text, const std::string& origin, std::string_view,
                           Imported& plan) {
    auto document = toml_document(text, origin);
    if (!document) return document.error();
    KeyReader keys(*document, plan);
    plan.assume("target", std::string("torchtitan@0.2.2"), "the last release with TOML");
    read_rows(torchtitan_toml_rows(), keys, plan, torchtitan_old_names());
    if (!keys.find("activation_checkpoint.mode"))
        plan.assume("memory.recompute", std::string("selective"), "torchtitan's default mode");
    read_torchtitan_keys(keys, plan);
    if (integer_or(plan, "parallel.tensor", 1) > 1)
        plan.assume("parallel.sequence", true, "always on with tensor parallelism in torchtitan");
    if (integer_or(plan, "parallel.context", 1) > 1 && !plan.has("parallel.context_kind"))
        plan.assume("parallel.context_kind", std::string("allgather"), "torchtitan's default rotate method");
    keys.finish();
    return {};
}

} // namespace shardlens::launchers
