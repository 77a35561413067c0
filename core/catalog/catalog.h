// SPDX-License-Identifier: GPL-3.0-or-later
// presets/ as an immutable value: models, accelerators, nodes, stacks, plans. Each file names its source.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/stack.h"
#include "plan/plan.h"
#include "json/result.h"

namespace shardlens {

struct Accelerator {
    std::string id, name, vendor, source;
    std::string architecture;              ///< id of the kernel constants, e.g. "hopper" (catalog/stack.h)
    std::optional<double> plan_with_bytes; ///< smallest framework-visible capacity seen
    double bytes_if_decimal_gb = 0;
    double bytes_if_binary_gib = 0;
    double memory_bandwidth_bytes_per_s = 0;
    /// Dense peaks in FLOP/s; 0 = the accelerator has no such unit.
    double fp32_flops = 0, tf32_flops = 0, bf16_flops = 0, fp16_flops = 0, fp8_flops = 0, fp4_flops = 0;
    double scale_up_bytes_per_s = 0;  ///< one direction
    double host_link_bytes_per_s = 0; ///< one direction
    double tdp_w = 0;                 ///< 0 = unknown
    std::int64_t compute_units = 0;   ///< SMs or CUs
    double clock_factor = 1;          ///< sustained clock over the clock behind the peak
    std::string note;                 ///< traps of the published figures, for a tooltip

    /// Dense peak of a training precision: fp8 and mxfp8 take fp8, nvfp4 takes fp4; without such a unit the
    /// nearest wider one that exists.
    [[nodiscard]] double peak_flops(Precision precision) const;
};

enum class FabricTopology : std::uint8_t { rail_optimised, fat_tree, dragonfly, torus, single_node };

struct Node {
    std::string id, name, source;
    std::string accelerator;
    std::int64_t gpus_per_node = 8;
    std::int64_t scale_up_domain = 8; ///< GPUs that share the fast fabric: 8 in a DGX, 72 in an NVL72 rack
    bool in_switch_reduction = false; ///< NVLS
    bool full_mesh = false;           ///< no switch: a pair gets 1/(n-1) of the scale-up bandwidth
    bool hybrid_cube_mesh = false;    ///< DGX-1: two meshed quads of 8 GPUs, joined corner to corner
    double scale_up_bytes_per_s_per_gpu = 0;  ///< one direction
    double scale_out_bytes_per_s_per_gpu = 0; ///< one direction
    std::int64_t nics_per_node = 0;
    double scale_up_latency_s = 0;
    double scale_out_latency_s = 0;
    std::int64_t nodes_per_pod = 0; ///< 0 = one pod
    double oversubscription = 1;    ///< of the pod's uplinks
    /// Axes of a torus of direct links (TPU, Trainium) that is the scale-up fabric; 0 = switch or mesh.
    std::int64_t torus_dimensions = 0;
    std::int64_t torus_ring = 0; ///< accelerators in a row along an axis that close into a ring; 0 = never
    std::int64_t package_accelerators =
        1;                          ///< dies of one package, which have a link of their own (MI250X: 2)
    double package_bytes_per_s = 0; ///< of that link, one direction
    FabricTopology topology = FabricTopology::fat_tree;
    bool efa = false;                 ///< AWS Elastic Fabric Adapter
    double host_speed = 1;            ///< boost clock of its CPU against a DGX H100's (Xeon 8480C, 3.8 GHz)
    double host_memory_bytes = 0;     ///< per node
    double host_link_bytes_per_s = 0; ///< per GPU, one direction
    double node_power_w = 0;          ///< 0 = unknown
    double dollars_per_gpu_hour = 0;  ///< 0 = unknown
    std::string note;                 ///< traps and assumptions, for a tooltip

    /// Share of an accelerator's scale-up rate that a ring collective of `members` in one domain drives: the
    /// links to its members on a mesh, the axes it lies on of a torus, all of them behind a switch.
    [[nodiscard]] double scale_up_share(double members) const;
    /// Links a message of an all-to-all among `members` passes on average; 1 except on a torus and a cube
    /// mesh.
    [[nodiscard]] double scale_up_mean_hops(double members) const;
    /// Links a ring collective of `members` passes one after the other.
    [[nodiscard]] double scale_up_ring_hops(double members) const;
};

struct ModelPreset {
    std::string id, family, source;
    ModelShape shape;
    double published_parameters = 0; ///< 0 = none published
    std::string note;                ///< how the published figure counts, for a tooltip
};

/// A listing entry; does not need the whole file to be understood.
struct PresetEntry {
    std::string id, name;
    std::filesystem::path file;
};

enum class PresetKind : std::uint8_t { model, node, accelerator, stack, plan, published };

class Catalog {
public:
    /// `directories`: searched in order, later ones win (the user's own last).
    /// Reads nothing yet; each preset is read and checked when it is first asked for, then kept. Thread-safe.
    explicit Catalog(std::vector<std::filesystem::path> directories);
    ~Catalog();
    Catalog(Catalog&&) noexcept;
    Catalog& operator=(Catalog&&) noexcept;

    /// presets/ beside the executable's tree, or the installed share/shardlens/presets, then
    /// $XDG_DATA_HOME/shardlens/presets. `executable` is argv[0] or /proc/self/exe.
    [[nodiscard]] static std::vector<std::filesystem::path>
    default_directories(const std::filesystem::path& executable);

    /// The last directory when there are several: the user's own, which may not exist yet; else empty.
    [[nodiscard]] std::filesystem::path user_directory() const;
    /// Does a directory other than the user's hold this preset?
    [[nodiscard]] bool is_shipped(PresetKind kind, const std::string& id) const;

    // An unknown id is an error that names the id and the nearest known one. Pointers live as long as the
    // catalogue.
    [[nodiscard]] Result<const ModelPreset*> model(const std::string& id) const;
    [[nodiscard]] Result<const Accelerator*> accelerator(const std::string& id) const;
    [[nodiscard]] Result<const Node*> node(const std::string& id) const;
    /// The profile at `version`, "" = the newest.
    [[nodiscard]] Result<StackProfile> stack(const std::string& id, const std::string& version = {}) const;
    /// The profile at the oldest release it holds factors for; null when it knows the newest alone.
    [[nodiscard]] std::shared_ptr<const StackProfile> oldest_release(const std::string& id) const;
    /// Stack profiles are read anew from now on: a file of theirs was written.
    void reread_stacks() const;
    [[nodiscard]] Result<const Architecture*> architecture(const std::string& id) const;
    [[nodiscard]] Result<Plan> plan(const std::string& id) const;

    /// Sorted by id.
    [[nodiscard]] std::vector<PresetEntry> list(PresetKind kind) const;
    /// The ids alone, sorted; opens no file.
    [[nodiscard]] std::vector<std::string> ids(PresetKind kind) const;
    /// The preset file of one kind, unchanged; with `origin`, its path for messages.
    [[nodiscard]] Result<std::string> text(PresetKind kind, const std::string& id,
                                           std::string* origin = nullptr) const;
    /// The preset file of any kind, unchanged.
    [[nodiscard]] Result<std::string> text(const std::string& id) const;

private:
    struct Store;
    std::unique_ptr<Store> m_store;
};

} // namespace shardlens
