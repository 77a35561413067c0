// SPDX-License-Identifier: GPL-3.0-or-later
// The entries of importers(): two functions per kind of file, each in the file of its name.
#pragma once

#include "launchers/import.h"

namespace shardlens::launchers {

int looks_like_contract(std::string_view text, std::string_view file_name);
Error read_contract(std::string_view text, const std::string& origin, std::string_view version,
                    Imported& plan);

int looks_like_hf(std::string_view text, std::string_view file_name);
Error read_hf(std::string_view text, const std::string& origin, std::string_view version, Imported& plan);
int looks_like_bridge(std::string_view text, std::string_view file_name);
Error read_bridge(std::string_view text, const std::string& origin, std::string_view version, Imported& plan);
int looks_like_colossalai(std::string_view text, std::string_view file_name);
Error read_colossalai(std::string_view text, const std::string& origin, std::string_view version,
                      Imported& plan);
int looks_like_sagemaker(std::string_view text, std::string_view file_name);
Error read_sagemaker(std::string_view text, const std::string& origin, std::string_view version,
                     Imported& plan);

int looks_like_deepspeed(std::string_view text, std::string_view file_name);
Error read_deepspeed(std::string_view text, const std::string& origin, std::string_view version,
                     Imported& plan);

int looks_like_megatron_script(std::string_view text, std::string_view file_name);
Error read_megatron_script(std::string_view text, const std::string& origin, std::string_view version,
                           Imported& plan);

int looks_like_mindspeed(std::string_view text, std::string_view file_name);
Error read_mindspeed(std::string_view text, const std::string& origin, std::string_view version,
                     Imported& plan);

int looks_like_megatron_model_args(std::string_view text, std::string_view file_name);
Error read_megatron_model_args(std::string_view text, const std::string& origin, std::string_view version,
                               Imported& plan);
int looks_like_torchtitan_toml(std::string_view text, std::string_view file_name);
Error read_torchtitan_toml(std::string_view text, const std::string& origin, std::string_view version,
                           Imported& plan);

int looks_like_torchtitan_python(std::string_view text, std::string_view file_name);
Error read_torchtitan_python(std::string_view text, const std::string& origin, std::string_view version,
                             Imported& plan);

int looks_like_accelerate(std::string_view text, std::string_view file_name);
Error read_accelerate(std::string_view text, const std::string& origin, std::string_view version,
                      Imported& plan);

int looks_like_nanotron(std::string_view text, std::string_view file_name);
Error read_nanotron(std::string_view text, const std::string& origin, std::string_view version,
                    Imported& plan);

int looks_like_llm_foundry(std::string_view text, std::string_view file_name);
Error read_llm_foundry(std::string_view text, const std::string& origin, std::string_view version,
                       Imported& plan);

int looks_like_bmtrain(std::string_view text, std::string_view file_name);
Error read_bmtrain(std::string_view text, const std::string& origin, std::string_view version,
                   Imported& plan);

int looks_like_neox(std::string_view text, std::string_view file_name);
Error read_neox(std::string_view text, const std::string& origin, std::string_view version, Imported& plan);

} // namespace shardlens::launchers
