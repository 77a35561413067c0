// SPDX-License-Identifier: GPL-3.0-or-later
// MindSpeed 0.12 for Ascend: train.sh with the flags of Megatron core 0.12 and MindSpeed's own
// (mindspeed/features_manager).
#include <fmt/format.h>

#include "launchers/makers.h"
#include "launchers/megatron_flags.h"

namespace shardlens::launchers {

Export make_mindspeed(const Setup& setup, const Report&, std::string_view version) {
    MegatronArguments arguments;
    arguments.release = 12;
    arguments.mindspeed = true;
    MegatronScript script;
    script.target = fmt::format("mindspeed@{}", version);
    script.title = fmt::format("MindSpeed {} on Megatron-LM core 0.12", version);
    script.note = "# pretrain_gpt.py must import mindspeed.megatron_adaptor before anything of Megatron.\n";
    return megatron_export(setup, script, arguments);
}

} // namespace shardlens::launchers
