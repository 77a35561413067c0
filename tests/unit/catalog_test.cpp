// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>
#include <unistd.h>

#include "catalog/catalog.h"

using namespace shardlens;
namespace fs = std::filesystem;

namespace {

/// A folder that is gone at the end of the test.
class Scratch {
public:
    Scratch() {
        static int count = 0;
        m_path = fs::temp_directory_path() /
                 ("shardlens-catalog-" + std::to_string(getpid()) + "-" + std::to_string(++count));
        fs::create_directories(m_path);
    }
    ~Scratch() {
        std::error_code error;
        fs::remove_all(m_path, error);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    [[nodiscard]] const fs::path& path() const { return m_path; }
    void write(const std::string& file, const std::string& text) const {
        fs::create_directories((m_path / file).parent_path());
        std::ofstream(m_path / file) << text;
    }

private:
    fs::path m_path;
};

/// Sets a variable of the environment for one test.
class Variable {
public:
    Variable(const char* name, const std::string& value) : m_name(name) {
        if (const char* before = std::getenv(name)) m_before = before;
        setenv(name, value.c_str(), 1);
    }
    ~Variable() {
        if (m_before)
            setenv(m_name, m_before->c_str(), 1);
        else
            unsetenv(m_name);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* m_name;
    std::optional<std::string> m_before;
};

const std::string kModel = R"({"id": "tiny", "name": "Tiny", "family": "tiny", "source": "by hand",
  "layers": 2, "hidden": 64, "heads": 4, "ffn_hidden": 256, "vocab": 100})";

std::string node(const std::string& extra) {
    return R"({"id": "box", "name": "Box", "source": "by hand", "accelerator": "h100-80gb-sxm", "gpus_per_node": 8,
  "scale_up_domain": 8, "scale_up_bytes_per_s_per_gpu": 1e11, "scale_out_bytes_per_s_per_gpu": 1e10, "nics_per_node": 1,
  "scale_up_latency_s": 1e-6, "scale_out_latency_s": 1e-5, "topology": "fat-tree", "host_memory_bytes": 1e12,
  "host_link_bytes_per_s": 3e10)" +
           extra + "}";
}

template <class T> std::string line(const Result<T>& result) {
    return result.ok() ? "" : result.error().line();
}

} // namespace

// Numbers: NVIDIA DGX H100 and H100 SXM data sheets (dense peaks, one direction).
TEST_CASE("shipped presets are read") {
    const Catalog catalog({presets_directory()});
    const auto dgx = catalog.node("dgx-h100");
    REQUIRE(dgx.ok());
    CHECK((*dgx)->name == "DGX H100");
    CHECK((*dgx)->accelerator == "h100-80gb-sxm");
    CHECK((*dgx)->gpus_per_node == 8);
    CHECK((*dgx)->scale_up_domain == 8);
    CHECK((*dgx)->in_switch_reduction);
    CHECK_FALSE((*dgx)->full_mesh);
    CHECK((*dgx)->scale_up_bytes_per_s_per_gpu == 450e9);
    CHECK((*dgx)->scale_out_bytes_per_s_per_gpu == 50e9);
    CHECK((*dgx)->topology == FabricTopology::rail_optimised);
    CHECK((*dgx)->node_power_w == 10200);
    const auto h100 = catalog.accelerator("h100-80gb-sxm");
    REQUIRE(h100.ok());
    CHECK((*h100)->architecture == "hopper");
    CHECK((*h100)->bf16_flops == 989.4e12);
    CHECK((*h100)->memory_bandwidth_bytes_per_s == 3.35e12);
    CHECK((*h100)->bytes_if_binary_gib == 80.0 * 1073741824);
    CHECK((*h100)->bytes_if_decimal_gb == 80e9);
    // 79.1 GiB is the least that frameworks report.
    REQUIRE((*h100)->plan_with_bytes.has_value());
    CHECK(*(*h100)->plan_with_bytes / 1073741824 == Approx(79.1).epsilon(1e-9));
    const auto rack = catalog.node("gb200-nvl72");
    REQUIRE(rack.ok());
    CHECK((*rack)->gpus_per_node == 4);
    CHECK((*rack)->scale_up_domain == 72);
    const auto mesh = catalog.node("azure-nd-mi300x-v5");
    REQUIRE(mesh.ok());
    CHECK((*mesh)->full_mesh);
    const auto efa = catalog.node("aws-p5.48xlarge");
    REQUIRE(efa.ok());
    CHECK((*efa)->efa);
    const auto model = catalog.model("llama3-70b");
    REQUIRE(model.ok());
    CHECK((*model)->shape.name == "Llama 3 70B");
    CHECK((*model)->family == "llama");
    CHECK((*model)->published_parameters == 70553706496.0);
    const auto plan = catalog.plan("llama3-70b-64xh100");
    INFO(line(plan));
    REQUIRE(plan.ok());
    CHECK(plan->parallel.tensor == 8);
}

TEST_CASE("a value is read once and stays where it is") {
    const Catalog catalog({presets_directory()});
    const auto first = catalog.model("llama3-8b");
    REQUIRE(first.ok());
    for (const auto& id : catalog.ids(PresetKind::model)) REQUIRE(catalog.model(id).ok());
    CHECK(*catalog.model("llama3-8b") == *first);
}

TEST_CASE("peaks follow the training precision") {
    const Catalog catalog({presets_directory()});
    const auto peak = [&](const char* id, Precision precision) {
        const auto found = catalog.accelerator(id);
        REQUIRE(found.ok());
        return (*found)->peak_flops(precision);
    };
    CHECK(peak("h100-80gb-sxm", Precision::bf16) == 989.4e12);
    CHECK(peak("h100-80gb-sxm", Precision::fp8) == 1978.9e12);
    CHECK(peak("h100-80gb-sxm", Precision::mxfp8) == 1978.9e12);
    CHECK(peak("h100-80gb-sxm", Precision::fp32) == 67e12);
    CHECK(peak("h100-80gb-sxm", Precision::nvfp4) == 1978.9e12); // no fp4 unit: the next wider
    CHECK(peak("a100-80gb-sxm", Precision::fp8) == 312e12);      // no fp8 unit
    CHECK(peak("b200-180gb-sxm", Precision::nvfp4) == 9000e12);
    CHECK(peak("v100-32gb-sxm2", Precision::bf16) == 125e12); // no bf16 unit: fp16
    CHECK(peak("gaudi2-96gb", Precision::fp32) == 432e12);    // no fp32 figure: the 16-bit unit
}

TEST_CASE("an unknown id names the nearest known one") {
    const Catalog catalog({presets_directory()});
    CHECK(line(catalog.model("llama3-70")) ==
          "no model preset is called \"llama3-70\"; did you mean \"llama3-70b\"?");
    CHECK(line(catalog.node("dgx_h100")).find("did you mean \"dgx-h100\"?") != std::string::npos);
    CHECK(line(catalog.accelerator("h100-80gb-sx")).find("h100-80gb-sxm") != std::string::npos);
    CHECK(line(catalog.plan("llama3-70b-64xh10")).find("llama3-70b-64xh100") != std::string::npos);
    CHECK(line(catalog.text("dgx-h10")).find("dgx-h100") != std::string::npos);
    CHECK(line(catalog.model("zzzzzzzzzzzzzzzzzzzzzz")).find("zzzz") != std::string::npos);
    CHECK(line(Catalog({}).model("llama3-70b")).find("no presets/models folder") != std::string::npos);
}

TEST_CASE("an id is never a path") {
    const Scratch scratch;
    scratch.write("secret.json", kModel);
    scratch.write("presets/models/tiny.json", kModel);
    const Catalog catalog({scratch.path() / "presets"});
    CHECK(catalog.model("tiny").ok());
    for (const auto* id :
         {"../../secret", "../models/tiny", "/etc/passwd", "", ".", "..", "tiny.json", "ti\nny", "tiny/"}) {
        const auto found = catalog.model(id);
        INFO(id);
        REQUIRE_FALSE(found.ok());
        CHECK(found.error().line().find('\n') == std::string::npos);
        CHECK_FALSE(catalog.text(id).ok());
    }
    CHECK_FALSE(catalog.model(std::string(100000, 'x')).ok());
}

TEST_CASE("the user's presets win over the shipped ones") {
    const Scratch shipped, user;
    shipped.write("models/tiny.json", kModel);
    auto changed = kModel;
    changed.replace(changed.find("\"layers\": 2"), 11, "\"layers\": 3");
    user.write("models/tiny.json", changed);
    const Catalog catalog({shipped.path(), user.path(), "/nonexistent"});
    REQUIRE(catalog.model("tiny").ok());
    CHECK((*catalog.model("tiny"))->shape.layers == 3);
    const auto list = catalog.list(PresetKind::model);
    REQUIRE(list.size() == 1);
    CHECK(list.front().file == user.path() / "models" / "tiny.json");
    CHECK(list.front().name == "Tiny");
    CHECK(*catalog.text("tiny") == changed);
}

TEST_CASE("a bad preset gives one line with file, key and what would be right") {
    const Scratch scratch;
    const Catalog catalog({scratch.path()});
    const auto expect = [](const auto& result, const std::string& file, const std::string& what) {
        REQUIRE_FALSE(result.ok());
        const auto text = result.error().line();
        INFO(text);
        CHECK(text.find(file) != std::string::npos);
        CHECK(text.find(what) != std::string::npos);
        CHECK(text.find('\n') == std::string::npos);
    };
    scratch.write("nodes/box.json", node(", \"nics\": 4"));
    expect(catalog.node("box"), "box.json", "\"nics\" is not a field of this kind of preset");
    scratch.write("nodes/box.json", node(", \"nodes_per_pods\": 4"));
    expect(catalog.node("box"), "box.json", "did you mean \"nodes_per_pod\"?");
    scratch.write("nodes/box.json", node(", \"efa\": 1"));
    expect(catalog.node("box"), "box.json", "\"efa\" must be true or false");
    scratch.write("nodes/box.json", node(", \"oversubscription\": 0.5"));
    expect(catalog.node("box"), "box.json", "\"oversubscription\" must be between 1 and 1000");
    scratch.write("nodes/box.json", node(", \"nodes_per_pod\": 2.5"));
    expect(catalog.node("box"), "box.json", "\"nodes_per_pod\" must be a whole number");
    scratch.write("nodes/box.json", node(", \"torus_ring\": 4"));
    expect(catalog.node("box"), "box.json", "\"torus_ring\" needs \"torus_dimensions\"");
    scratch.write("nodes/box.json", node(", \"torus_dimensions\": 2, \"full_mesh\": true"));
    expect(catalog.node("box"), "box.json", "the fast fabric is one of them");
    scratch.write("nodes/box.json", node(", \"hybrid_cube_mesh\": true, \"full_mesh\": true"));
    expect(catalog.node("box"), "box.json", "\"hybrid_cube_mesh\" excludes");
    scratch.write("nodes/box.json", node(", \"torus_dimensions\": 7"));
    expect(catalog.node("box"), "box.json", "\"torus_dimensions\" must be between 0 and 6");
    scratch.write("nodes/box.json", node(", \"topology\": \"ring\""));
    expect(catalog.node("box"), "box.json", "topology");
    scratch.write("nodes/box.json", "[]");
    expect(catalog.node("box"), "box.json", "JSON object");
    scratch.write("nodes/box.json", "{\"id\": \"box\"");
    expect(catalog.node("box"), "box.json", "");
    scratch.write("nodes/box.json", "{\"id\": \"box\"}");
    expect(catalog.node("box"), "box.json", "is missing");
    scratch.write("nodes/other.json", node(""));
    expect(catalog.node("other"), "other.json", "\"id\" must be \"other\"");
    scratch.write("models/tiny.json", R"({"id": "tiny", "source": "x", "layerz": 3})");
    expect(catalog.model("tiny"), "tiny.json", "layer");
    scratch.write("accelerators/a.json",
                  R"({"id": "a", "name": "A", "vendor": "V", "source": "s", "architecture": "hopper",
                      "bytes_if_decimal_gb": 1e9, "bytes_if_binary_gib": 1e9, "memory_bandwidth_bytes_per_s": 1e9})");
    expect(catalog.accelerator("a"), "a.json", "must be given");
    // What was broken is read again once it is right.
    scratch.write("nodes/box.json", node(""));
    CHECK(line(catalog.node("box")).empty());
}

TEST_CASE("listing is sorted, complete and survives broken files") {
    const Catalog catalog({presets_directory()});
    for (const auto kind : {PresetKind::model, PresetKind::node, PresetKind::accelerator, PresetKind::stack,
                            PresetKind::plan}) {
        const auto list = catalog.list(kind);
        CHECK(list.size() >= 4);
        CHECK(std::is_sorted(list.begin(), list.end(),
                             [](const PresetEntry& a, const PresetEntry& b) { return a.id < b.id; }));
        for (const auto& entry : list) CHECK_FALSE(entry.name.empty());
    }
    const Scratch scratch;
    scratch.write("models/broken.json", "{");
    scratch.write("models/notes.txt", "not a preset");
    scratch.write("models/tiny.json", kModel);
    const auto list = Catalog({scratch.path()}).list(PresetKind::model);
    REQUIRE(list.size() == 2);
    CHECK(list[0].name == "broken");
    CHECK(list[1].name == "Tiny");
}

TEST_CASE("many threads may ask at once") {
    const Catalog catalog({presets_directory()});
    const auto ids = catalog.ids(PresetKind::model);
    std::vector<std::vector<const ModelPreset*>> seen(4);
    {
        std::vector<std::jthread> threads;
        for (auto& mine : seen)
            threads.emplace_back([&catalog, &ids, &mine] {
                for (const auto& id : ids) {
                    const auto found = catalog.model(id);
                    mine.push_back(found.ok() ? *found : nullptr);
                }
            });
    }
    for (const auto& other : seen) CHECK(other == seen.front());
    CHECK(std::count(seen.front().begin(), seen.front().end(), nullptr) == 0);
}

TEST_CASE("default directories: source tree, installed tree, the user's own") {
    const Scratch scratch;
    const Variable data("XDG_DATA_HOME", (scratch.path() / "data").string());
    const auto user = scratch.path() / "data" / "shardlens" / "presets";
    scratch.write("tree/presets/models/tiny.json", kModel);
    scratch.write("tree/build/bin/shardlens-cli", "");
    CHECK(Catalog::default_directories(scratch.path() / "tree/build/bin/shardlens-cli") ==
          std::vector<fs::path>{fs::canonical(scratch.path()) / "tree/presets", user});
    scratch.write("usr/bin/shardlens-cli", "");
    scratch.write("usr/share/shardlens/presets/models/tiny.json", kModel);
    CHECK(Catalog::default_directories(scratch.path() / "usr/bin/shardlens-cli") ==
          std::vector<fs::path>{fs::canonical(scratch.path()) / "usr/share/shardlens/presets", user});
    // A folder called presets without models is not ours; a link to the program is followed.
    scratch.write("tree/build/presets/other.txt", "");
    fs::create_symlink(scratch.path() / "tree/build/bin/shardlens-cli", scratch.path() / "link");
    CHECK(Catalog::default_directories(scratch.path() / "link").front() ==
          fs::canonical(scratch.path()) / "tree/presets");
    const Variable relative("XDG_DATA_HOME", "not/absolute");
    const Variable home("HOME", (scratch.path() / "home").string());
    CHECK(Catalog::default_directories(scratch.path() / "link").back() ==
          scratch.path() / "home/.local/share/shardlens/presets");
}
