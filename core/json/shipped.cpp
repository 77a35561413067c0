// SPDX-License-Identifier: GPL-3.0-or-later
#include "json/shipped.h"

#include <system_error>

namespace shardlens {

namespace fs = std::filesystem;

fs::path shipped_directory(const fs::path& executable, const fs::path& name, const fs::path& inside) {
    std::error_code error;
    const auto holds = [&](const fs::path& folder) { return fs::is_directory(folder / inside, error); };
    // A bare name was found on the PATH, where only the system knows the folder.
    const fs::path self = executable.has_parent_path() ? executable : fs::path("/proc/self/exe");
    fs::path program = fs::canonical(self, error);
    if (error) program = fs::absolute(self, error);
    const fs::path folder = program.parent_path();
    if (const fs::path installed = folder.parent_path() / "share" / "shardlens" / name; holds(installed))
        return installed;
    for (fs::path at = folder; !at.empty(); at = at.parent_path()) {
        if (holds(at / name)) return at / name;
        if (at == at.root_path()) break;
    }
    return {};
}

} // namespace shardlens
