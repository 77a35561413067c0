// SPDX-License-Identifier: GPL-3.0-or-later
// torchtitan: what its configurations and a plan say alike. 0.2.2 is the last release with TOML; main of
// August 2026 has functions that return a Trainer.Config.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>

#include "launchers/findings.h"
#include "launchers/key_rows.h"

namespace shardlens::launchers {

/// Same keys in the TOML and as keyword arguments of main's ParallelismConfig and TrainingConfig.
[[nodiscard]] std::span<const KeyRow> torchtitan_rows();
[[nodiscard]] std::span<const KeyRow> torchtitan_toml_rows(); ///< 0.2.2 only
[[nodiscard]] std::span<const KeyRow> torchtitan_main_rows();

/// A model that torchtitan ships under a name (torchtitan/models/*/__init__.py).
struct TorchtitanFlavor {
    const char* family;       ///< "llama3"
    const char* name;         ///< "70B"
    const char* preset;       ///< model preset of the same shape
    bool toml;                ///< in 0.2.2 as well as in main
    std::int64_t max_context; ///< tokens that main's rotary positions reach
};

[[nodiscard]] std::span<const TorchtitanFlavor> torchtitan_flavors();
/// The flavor with the plan's layers and widths, or nullptr.
[[nodiscard]] const TorchtitanFlavor* torchtitan_flavor(const Setup& setup);

/// Layers of the flavor with this preset; 0 for another preset.
[[nodiscard]] std::int64_t torchtitan_layers(std::string_view preset);

/// Does the flavor with this preset have experts? Nothing for another preset.
[[nodiscard]] std::optional<bool> torchtitan_has_experts(std::string_view preset);

/// The split over stages: torchtitan's own counting (weights of embedding and head, layers per stage), or the
/// modules of every stage by name where no counting gives it.
struct TorchtitanSplit {
    std::int64_t first_less = 1, last_less = 1;
    std::optional<std::int64_t> layers_per_stage;
    bool by_modules = false;
};
[[nodiscard]] TorchtitanSplit torchtitan_split(const Setup& setup);

/// The modules of every stage by name; `head` is the release's name of the output layer.
[[nodiscard]] nlohmann::ordered_json torchtitan_modules(const Setup& setup, const char* head);

/// Layers of every stage as generate_llm_fqn_per_model_part deals them out; empty where it refuses.
[[nodiscard]] std::vector<std::int64_t> torchtitan_deal(std::int64_t layers, std::int64_t stages,
                                                        std::int64_t first_less, std::int64_t last_less);

/// Does the schedule run several stages per rank (PyTorch's PipelineScheduleMulti)?
[[nodiscard]] bool torchtitan_runs_several(std::string_view schedule);

/// PyTorch's name of the nearest schedule it has.
[[nodiscard]] const char* torchtitan_schedule(const Setup& setup);

/// What both files leave out, in the same words.
void find_torchtitan_differences(const Findings& findings);

/// config.toml of 0.2.2 without its comments; config.py of main without its comments.
[[nodiscard]] std::string torchtitan_toml(const Findings& findings);
[[nodiscard]] std::string torchtitan_python(const Findings& findings);

} // namespace shardlens::launchers
