// SPDX-License-Identifier: GPL-3.0-or-later
// The table's entries: one function per launcher, each in the file of its name.
#pragma once

#include <string_view>

#include "launchers/launcher.h"

namespace shardlens::launchers {

Export make_megatron_lm(const Setup& setup, const Report& report, std::string_view version);
Export make_megatron_bridge(const Setup& setup, const Report& report, std::string_view version);
Export make_mindspeed(const Setup& setup, const Report& report, std::string_view version);
Export make_deepspeed(const Setup& setup, const Report& report, std::string_view version);
Export make_torchtitan(const Setup& setup, const Report& report, std::string_view version);
Export make_accelerate(const Setup& setup, const Report& report, std::string_view version);
Export make_nanotron(const Setup& setup, const Report& report, std::string_view version);
Export make_llm_foundry(const Setup& setup, const Report& report, std::string_view version);
Export make_colossalai(const Setup& setup, const Report& report, std::string_view version);
Export make_sagemaker(const Setup& setup, const Report& report, std::string_view version);
Export make_bmtrain(const Setup& setup, const Report& report, std::string_view version);
Export make_contract(const Setup& setup, const Report& report, std::string_view version);

} // namespace shardlens::launchers
