// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/launcher.h"

#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

#include "launchers/makers.h"
#include "json/strict_json.h"

namespace shardlens::launchers {

std::span<const Launcher> table() {
    static const std::vector<Launcher> launchers = {
        {"megatron-lm", {"0.19", "0.16", "0.12", "main"}, "Megatron-LM", make_megatron_lm},
        {"megatron-bridge", {"0.6"}, "Megatron-Bridge", make_megatron_bridge},
        {"mindspeed", {"0.12"}, "MindSpeed", make_mindspeed},
        {"deepspeed", {"0.19"}, "DeepSpeed", make_deepspeed},
        {"torchtitan", {"0.2.2", "main"}, "torchtitan", make_torchtitan},
        {"accelerate", {"1.15"}, "accelerate", make_accelerate},
        {"nanotron", {"0.4"}, "nanotron", make_nanotron},
        {"llm-foundry", {"0.22"}, "llm-foundry", make_llm_foundry},
        {"colossalai", {"0.5"}, "ColossalAI", make_colossalai},
        {"sagemaker", {"1", "2"}, "SageMaker", make_sagemaker},
        {"bmtrain", {"1.0"}, "BMTrain", make_bmtrain},
        {"contract", {"1"}, "ShardLens plan", make_contract},
    };
    return launchers;
}

Result<std::pair<const Launcher*, std::string>> find(std::string_view launcher_at_version) {
    const std::size_t at = launcher_at_version.find('@');
    const std::string_view id = launcher_at_version.substr(0, at);
    std::vector<std::string_view> ids;
    std::string known;
    for (const Launcher& launcher : table()) {
        ids.emplace_back(launcher.id);
        known += fmt::format("{}{}", known.empty() ? "" : ", ", launcher.id);
        if (id != launcher.id) continue;
        if (at == std::string_view::npos) return std::pair{&launcher, std::string(launcher.versions.front())};
        const std::string_view version = launcher_at_version.substr(at + 1);
        std::string versions;
        for (const char* candidate : launcher.versions) {
            if (version == candidate) return std::pair{&launcher, std::string(version)};
            versions += fmt::format("{}{}", versions.empty() ? "" : ", ", candidate);
        }
        return Error{fmt::format("launcher {}", launcher.id),
                     fmt::format("unknown version '{}'; known: {}", version, versions)};
    }
    const std::string near = nearest(id, ids);
    if (!near.empty()) return Error{"launcher", fmt::format("unknown '{}'; did you mean '{}'?", id, near)};
    return Error{"launcher", fmt::format("unknown '{}'; known: {}", id, known)};
}

namespace {

namespace fs = std::filesystem;

/// The folder that files are completed in before any of them appears under its name.
class Staging {
public:
    explicit Staging(const fs::path& directory) {
        std::string name = (directory / ".shardlens-XXXXXX").string();
        if (::mkdtemp(name.data()) != nullptr) m_path = name;
    }
    ~Staging() {
        std::error_code ignored;
        if (!m_path.empty()) fs::remove_all(m_path, ignored);
    }
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    [[nodiscard]] const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

} // namespace

Error write(const Export& result, const fs::path& directory) {
    std::error_code code;
    const bool made = fs::create_directories(directory, code);
    if (code || !fs::is_directory(directory, code)) {
        return {directory.string(), "cannot make this folder; name one that can be written"};
    }
    const auto fail = [&](const fs::path& file, const std::string& why) {
        std::error_code ignored;
        if (made) fs::remove(directory, ignored); // only while empty
        return Error{file.string(), why};
    };
    for (const File& file : result.files) {
        if (fs::path(file.name).filename() != file.name || file.name == "." || file.name == "..") {
            return fail(directory / file.name, "is not a plain file name");
        }
        if (fs::is_directory(fs::symlink_status(directory / file.name, code))) {
            return fail(directory / file.name, "is a folder where a file must be written");
        }
    }
    {
        const Staging staging(directory);
        if (staging.path().empty())
            return fail(directory, std::string("cannot be written: ") + std::strerror(errno));
        for (const File& file : result.files) {
            const fs::path target = staging.path() / file.name;
            std::ofstream stream(target, std::ios::binary);
            stream.write(file.text.data(), static_cast<std::streamsize>(file.text.size()));
            stream.close();
            if (!stream)
                return fail(directory / file.name, std::string("cannot be written: ") + std::strerror(errno));
            if (file.executable) {
                fs::permissions(target,
                                fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                                fs::perm_options::add, code);
            }
        }
        for (const File& file : result.files) {
            fs::rename(staging.path() / file.name, directory / file.name, code);
            if (code) return fail(directory / file.name, "cannot be written: " + code.message());
        }
    }
    return {};
}

} // namespace shardlens::launchers
