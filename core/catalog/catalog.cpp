// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/catalog.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <fmt/format.h>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <shared_mutex>
#include <utility>

#include "catalog/preset_json.h"
#include "plan/plan_json.h"
#include "json/shipped.h"
#include "json/strict_json.h"
#include "json/text.h"

namespace shardlens {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxIdLength = 100;
constexpr const char* kBase = "generic"; ///< the stack and the architecture that others name differences from
constexpr int kMaxBases = 8;             ///< longest chain of stack profiles on top of each other

/// One folder per kind; the word is for messages.
struct Folder {
    const char* name;
    const char* word;
};
constexpr Folder kModels{"models", "model"};
constexpr Folder kNodes{"nodes", "node"};
constexpr Folder kAccelerators{"accelerators", "accelerator"};
constexpr Folder kStacks{"stacks", "stack"};
constexpr Folder kPlans{"plans", "plan"};
constexpr Folder kPublished{"published", "published runs"};
constexpr Folder kArchitectures{"architectures", "architecture"};

constexpr std::array kAllFolders = {kModels, kNodes, kAccelerators, kStacks, kPlans, kArchitectures};

Folder folder_of(PresetKind kind) {
    switch (kind) {
    case PresetKind::model: return kModels;
    case PresetKind::node: return kNodes;
    case PresetKind::accelerator: return kAccelerators;
    case PresetKind::stack: return kStacks;
    case PresetKind::plan: return kPlans;
    case PresetKind::published: return kPublished;
    }
    return kPlans;
}

/// Ids are file names without the ending; anything that could leave the folder is no id.
bool is_id(std::string_view id) {
    if (id.empty() || id.size() > kMaxIdLength || id.front() == '.') return false;
    return std::all_of(id.begin(), id.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
               c == '-' || c == '_';
    });
}

} // namespace

double Accelerator::peak_flops(Precision precision) const {
    // Each row: the unit of the precision, then ever wider ones; the last resort is the narrower 16-bit unit
    // of accelerators that have no wide one listed.
    const auto first = [](std::initializer_list<double> peaks) {
        for (const double peak : peaks)
            if (peak > 0) return peak;
        return 0.0;
    };
    switch (precision) {
    case Precision::fp32: return first({fp32_flops, tf32_flops, bf16_flops, fp16_flops});
    case Precision::fp16: return first({fp16_flops, bf16_flops, tf32_flops, fp32_flops});
    case Precision::bf16: return first({bf16_flops, fp16_flops, tf32_flops, fp32_flops});
    case Precision::fp8:
    case Precision::mxfp8: return first({fp8_flops, bf16_flops, fp16_flops, tf32_flops, fp32_flops});
    case Precision::nvfp4:
        return first({fp4_flops, fp8_flops, bf16_flops, fp16_flops, tf32_flops, fp32_flops});
    }
    return 0;
}

namespace {

/// How a group lies on a torus: a block as cubic as powers of two allow, which is how slices are cut (Cloud
/// TPU documentation: 2x4, 8x8, 8x16 in two dimensions, 2x2x4, 4x4x8, 8x8x16 in three).
struct TorusBlock {
    double open_axes = 0, closed_axes = 0; ///< rows with two ends, rows that are rings
    double ring_hops = 0;                  ///< one row after the other
    double mean_hops = 0; ///< a quarter of a ring and a third of an open row lie between two members
};

TorusBlock block_of(const Node& node, double members) {
    TorusBlock block;
    double left = members;
    for (std::int64_t axis = 0; axis < node.torus_dimensions && left > 1; ++axis) {
        const auto axes_left = static_cast<double>(node.torus_dimensions - axis);
        const double row = std::min(left, std::exp2(std::ceil(std::log2(left) / axes_left)));
        const bool closed = node.torus_ring > 0 && std::fmod(row, static_cast<double>(node.torus_ring)) == 0;
        (closed ? block.closed_axes : block.open_axes) += 1;
        block.ring_hops += closed ? row / 2 : row - 1; // a ring is passed both ways at once
        block.mean_hops += row / (closed ? 4 : 3);
        left = std::ceil(left / row);
    }
    return block;
}

} // namespace

double Node::scale_up_share(double members) const {
    if (package_bytes_per_s > 0 && members <= static_cast<double>(package_accelerators))
        return package_bytes_per_s / scale_up_bytes_per_s_per_gpu;
    if (full_mesh && scale_up_domain > 1)
        return std::min(1.0, std::max(members - 1, 1.0) / static_cast<double>(scale_up_domain - 1));
    if (hybrid_cube_mesh) {
        // Links, of a GPU's six, that rings of neighbours send over (DGX-1 V100: one link between 0-1, 0-2
        // and 1-3, two between 0-3, 1-2 and 2-3, each GPU's other one or two to the other quad): a pair has
        // one, three GPUs one ring both ways, a quad two such rings, all eight three.
        const double links = members >= 8 ? 6 : members >= 4 ? 4 : members >= 3 ? 2 : 1;
        return links / 6;
    }
    if (torus_dimensions <= 0) return 1;
    // Every axis holds the same part of the links; a row with ends passes half of what a ring does.
    const auto block = block_of(*this, std::max(members, 2.0));
    return (block.closed_axes + 0.5 * block.open_axes) / static_cast<double>(torus_dimensions);
}

double Node::scale_up_mean_hops(double members) const {
    if (hybrid_cube_mesh && members > 4) return 10.0 / 7; // four others at one link, three behind one of them
    return torus_dimensions > 0 ? std::max(1.0, block_of(*this, members).mean_hops) : 1;
}

double Node::scale_up_ring_hops(double members) const {
    return torus_dimensions > 0 ? block_of(*this, members).ring_hops : std::max(members - 1, 0.0);
}

struct Catalog::Store {
    std::vector<fs::path> directories;
    mutable std::shared_mutex mutex;
    // Values never move once they are in (std::map), so pointers to them may be handed out.
    mutable std::map<std::string, ModelPreset> models;
    mutable std::map<std::string, Accelerator> accelerators;
    mutable std::map<std::string, Node> nodes;
    mutable std::map<std::string, Architecture> architectures;
    mutable std::map<std::pair<std::string, std::string>, StackProfile> stacks;
    mutable std::map<std::string, std::shared_ptr<const StackProfile>> oldest_releases;
    mutable std::map<std::string, Plan> plans;
    /// Profiles read before a file changed: other threads may still be copying them.
    mutable std::deque<std::map<std::pair<std::string, std::string>, StackProfile>> stale_stacks;

    [[nodiscard]] std::optional<fs::path> file(const Folder& folder, const std::string& id) const {
        if (!is_id(id)) return std::nullopt;
        for (auto directory = directories.rbegin(); directory != directories.rend(); ++directory) {
            std::error_code error;
            auto path = *directory / folder.name / (id + ".json");
            if (fs::is_regular_file(path, error)) return path;
        }
        return std::nullopt;
    }

    [[nodiscard]] std::set<std::string> ids(const Folder& folder) const {
        std::set<std::string> found;
        for (const auto& directory : directories) {
            std::error_code error;
            for (fs::directory_iterator entry(directory / folder.name, error), end; !error && entry != end;
                 entry.increment(error)) {
                const auto& path = entry->path();
                if (path.extension() == ".json" && is_id(path.stem().string()))
                    found.insert(path.stem().string());
            }
        }
        return found;
    }

    [[nodiscard]] Error unknown(const Folder& folder, const std::string& id) const {
        const auto known = ids(folder);
        const std::vector<std::string_view> candidates(known.begin(), known.end());
        const auto near = nearest(id, candidates);
        if (!near.empty())
            return {"", fmt::format("no {} preset is called \"{}\"; did you mean \"{}\"?", folder.word,
                                    one_line(id), near)};
        if (known.empty())
            return {"", fmt::format("no {} preset is called \"{}\": no presets/{} folder was found",
                                    folder.word, one_line(id), folder.name)};
        return {"", fmt::format("no {} preset is called \"{}\"; \"{}\" is one of the {} there are",
                                folder.word, one_line(id), *known.begin(), known.size())};
    }

    [[nodiscard]] Result<Json> document(const Folder& folder, const std::string& id,
                                        std::string& origin) const {
        const auto path = file(folder, id);
        if (!path) return unknown(folder, id);
        origin = path->string();
        auto text = read_text(origin);
        if (!text) return text.error();
        return parse_strict(*text, origin);
    }

    /// A profile on top of the one it names as its base; `depth` bases stand above it already.
    [[nodiscard]] Result<StackProfile> stack(const std::string& id, const std::string& version,
                                             int depth) const;

    /// Reads once, then hands out the kept value. A broken file is read again on the next call.
    template <class Key, class T, class Read>
    [[nodiscard]] Result<const T*> get(std::map<Key, T>& kept, const Key& key, const Folder& folder,
                                       const std::string& id, Read read) const {
        {
            const std::shared_lock lock(mutex);
            if (const auto at = kept.find(key); at != kept.end()) return &at->second;
        }
        std::string origin;
        const auto json = document(folder, id, origin);
        if (!json) return json.error();
        Result<T> value = read(*json, origin);
        if (!value) return value.error();
        if constexpr (requires { value->id; })
            if (value->id != id)
                return Error{origin, fmt::format("\"id\" must be \"{}\" as in the file's name, not \"{}\"",
                                                 id, one_line(value->id))};
        const std::unique_lock lock(mutex);
        return &kept.try_emplace(key, std::move(value).value()).first->second;
    }
};

Result<StackProfile> Catalog::Store::stack(const std::string& id, const std::string& version,
                                           int depth) const {
    const auto read = [&](const Json& json, const std::string& origin) -> Result<StackProfile> {
        if (id == kBase) return stack_from_json(json, origin, version, nullptr);
        std::string base_id = kBase;
        if (json.is_object() && json.contains("base")) {
            if (!json["base"].is_string()) return Error{origin, "base must be the id of another stack"};
            base_id = json["base"].get<std::string>();
        }
        if (base_id == id || depth >= kMaxBases)
            return Error{origin, "base must lead to \"generic\", not round in a circle"};
        std::string base_version;
        if (json.is_object() && json.contains("base_version") && json["base_version"].is_string())
            base_version = json["base_version"].get<std::string>();
        auto base = stack(base_id, base_version, depth + 1);
        if (!base)
            return base.error().where.empty() ? Error{origin + ": base", base.error().what} : base.error();
        return stack_from_json(json, origin, version, &*base);
    };
    const auto found = get(stacks, std::pair{id, version}, kStacks, id, read);
    if (!found) return found.error();
    return **found;
}

Catalog::Catalog(std::vector<fs::path> directories) : m_store(std::make_unique<Store>()) {
    m_store->directories = std::move(directories);
}
Catalog::~Catalog() = default;
Catalog::Catalog(Catalog&&) noexcept = default;
Catalog& Catalog::operator=(Catalog&&) noexcept = default;

std::vector<fs::path> Catalog::default_directories(const fs::path& executable) {
    std::vector<fs::path> found;
    if (fs::path shipped = shipped_directory(executable, "presets", kModels.name); !shipped.empty())
        found.push_back(std::move(shipped));
    const char* data = std::getenv("XDG_DATA_HOME");
    const char* home = std::getenv("HOME");
    // The base directory specification ignores relative paths.
    if (data != nullptr && fs::path(data).is_absolute())
        found.push_back(fs::path(data) / "shardlens" / "presets");
    else if (home != nullptr && fs::path(home).is_absolute())
        found.push_back(fs::path(home) / ".local" / "share" / "shardlens" / "presets");
    return found;
}

fs::path Catalog::user_directory() const {
    return m_store->directories.size() > 1 ? m_store->directories.back() : fs::path();
}

bool Catalog::is_shipped(PresetKind kind, const std::string& id) const {
    const auto& all = m_store->directories;
    const std::size_t shipped = all.size() > 1 ? all.size() - 1 : all.size();
    return is_id(id) && std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shipped),
                                    [&](const fs::path& directory) {
                                        std::error_code error;
                                        return fs::is_regular_file(
                                            directory / folder_of(kind).name / (id + ".json"), error);
                                    });
}

Result<const ModelPreset*> Catalog::model(const std::string& id) const {
    return m_store->get(m_store->models, id, kModels, id, model_preset_from_json);
}

Result<const Accelerator*> Catalog::accelerator(const std::string& id) const {
    return m_store->get(m_store->accelerators, id, kAccelerators, id, accelerator_from_json);
}

Result<const Node*> Catalog::node(const std::string& id) const {
    return m_store->get(m_store->nodes, id, kNodes, id, node_from_json);
}

Result<const Architecture*> Catalog::architecture(const std::string& id) const {
    const Architecture* base = nullptr;
    if (id != kBase) {
        const auto generic = architecture(kBase);
        if (!generic) return generic;
        base = *generic;
    }
    return m_store->get(m_store->architectures, id, kArchitectures, id,
                        [base](const Json& json, const std::string& origin) {
                            return architecture_from_json(json, origin, base);
                        });
}

Result<StackProfile> Catalog::stack(const std::string& id, const std::string& version) const {
    return m_store->stack(id, version, 0);
}

std::shared_ptr<const StackProfile> Catalog::oldest_release(const std::string& id) const {
    {
        const std::shared_lock lock(m_store->mutex);
        if (const auto at = m_store->oldest_releases.find(id); at != m_store->oldest_releases.end())
            return at->second;
    }
    std::shared_ptr<const StackProfile> oldest;
    std::string origin;
    // stack() checks the file; one that it refuses has no release.
    if (const auto json = m_store->document(kStacks, id, origin);
        json && stack(id).ok() && json->contains("releases"))
        if (const Json& releases = (*json)["releases"]; releases.is_array() && !releases.empty())
            if (auto profile = stack(id, releases.front().value("version", std::string())); profile)
                oldest = std::make_shared<const StackProfile>(std::move(profile).value());
    const std::unique_lock lock(m_store->mutex);
    return m_store->oldest_releases.try_emplace(id, std::move(oldest)).first->second;
}

void Catalog::reread_stacks() const {
    const std::unique_lock lock(m_store->mutex);
    m_store->oldest_releases.clear();
    if (m_store->stacks.empty()) return;
    m_store->stale_stacks.push_back(
        std::exchange(m_store->stacks, {})); // a moved map keeps its elements in place
}

Result<Plan> Catalog::plan(const std::string& id) const {
    const auto found = m_store->get(m_store->plans, id, kPlans, id, plan_from_json);
    if (!found) return found.error();
    return **found;
}

std::vector<PresetEntry> Catalog::list(PresetKind kind) const {
    const auto folder = folder_of(kind);
    std::vector<PresetEntry> entries;
    for (const auto& id : m_store->ids(folder)) {
        const auto path = m_store->file(folder, id);
        if (!path) continue;
        PresetEntry entry{id, id, *path};
        if (const auto text = read_text(path->string()); text)
            if (const auto json = parse_strict(*text, path->string()); json && json->is_object())
                if (const auto name = json->find("name");
                    name != json->end() && name->is_string() && !name->get_ref<const std::string&>().empty())
                    entry.name = name->get<std::string>();
        entries.push_back(std::move(entry));
    }
    return entries;
}

std::vector<std::string> Catalog::ids(PresetKind kind) const {
    const auto found = m_store->ids(folder_of(kind));
    return {found.begin(), found.end()};
}

Result<std::string> Catalog::text(PresetKind kind, const std::string& id, std::string* origin) const {
    const auto folder = folder_of(kind);
    const auto path = m_store->file(folder, id);
    if (!path) return m_store->unknown(folder, id);
    if (origin) *origin = path->string();
    return read_text(path->string());
}

Result<std::string> Catalog::text(const std::string& id) const {
    for (const auto& folder : kAllFolders)
        if (const auto path = m_store->file(folder, id)) return read_text(path->string());
    std::set<std::string> all;
    for (const auto& folder : kAllFolders) all.merge(m_store->ids(folder));
    const std::vector<std::string_view> candidates(all.begin(), all.end());
    const auto near = nearest(id, candidates);
    return Error{"", near.empty() ? fmt::format("no preset is called \"{}\"", one_line(id))
                                  : fmt::format("no preset is called \"{}\"; did you mean \"{}\"?",
                                                one_line(id), near)};
}

} // namespace shardlens
