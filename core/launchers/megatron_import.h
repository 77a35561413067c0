// SPDX-License-Identifier: GPL-3.0-or-later
// Megatron-LM's command line back into a plan.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "launchers/import.h"

namespace shardlens::launchers {

/// The flags of one command line, with an account of which were read. The last of repeated flags counts.
class MegatronFlags {
public:
    explicit MegatronFlags(Imported& plan) : m_plan(plan) {}

    /// `name` with its dashes; underscores are taken as hyphens with a warning.
    void add(std::string name, std::vector<std::string> values);
    /// A value that is not known (a variable): the flag is there, its value is not.
    void add_open(std::string name, std::string shown);
    /// A word among the flags whose content is not known: it may hold any flag.
    void add_unread(const std::string& word);
    [[nodiscard]] bool has_unread() const { return !m_unread.empty(); }

    [[nodiscard]] bool has(const std::string& name) const { return m_flags.contains(name); }
    /// Is the flag there with a value that is not known?
    [[nodiscard]] bool is_open(const std::string& name) const { return m_open.contains(name); }
    /// A switch; counts as read.
    bool on(const std::string& name);
    [[nodiscard]] std::optional<std::string> text(const std::string& name);
    [[nodiscard]] std::optional<std::int64_t> integer(const std::string& name);
    [[nodiscard]] std::optional<double> number(const std::string& name);
    [[nodiscard]] std::vector<std::string> list(const std::string& name);
    [[nodiscard]] std::string shown(const std::string& name) const;

    bool take_integer(const std::string& name, std::string_view path);
    bool take(const std::string& name, std::string_view path, const FieldValue& value,
              std::string_view text = {}, Imported::Arguments arguments = {});
    /// Reads a switch as true of a field.
    bool take_on(const std::string& name, std::string_view path);
    void outside(const std::string& name, std::string_view reason);
    /// What the launcher does without a flag. Where a word that is not known may hold the flag, the field is
    /// missing instead.
    void assume(std::string_view path, const FieldValue& value, std::string_view text,
                Imported::Arguments arguments = {});
    /// The same for a field that the launcher has no default for.
    void needs(std::string_view path);
    /// How many flags a plan was read from, or would have been.
    [[nodiscard]] std::size_t known() const;
    [[nodiscard]] bool knows(const std::string& name) const { return has(name) && m_read.contains(name); }
    /// Every flag that nobody asked for and that is no matter of a plan becomes a note.
    void finish();

    [[nodiscard]] Imported& plan() { return m_plan; }

private:
    Imported& m_plan;
    std::map<std::string, std::vector<std::string>> m_flags;
    std::map<std::string, std::string> m_open;
    std::set<std::string> m_read;
    std::string m_unread; ///< the first two of such words, for people
};

/// Does the flag take no value? For those that the import reads, that common scripts have, and --no-…,
/// --use-….
[[nodiscard]] bool is_megatron_switch(std::string_view name);
/// Those that are listed by name, for a check against the parsers' own lists.
[[nodiscard]] std::span<const std::string_view> megatron_switches();

/// Flags and the world (cluster.gpus, when it is known) → plan, by the rules and defaults of a release: 12,
/// 16, 19, 20 = main (megatron/training/arguments.py).
void read_megatron_flags(MegatronFlags& flags, int release);

/// The parts of it.
void read_megatron_model(MegatronFlags& flags, int release);
void read_megatron_parallel(MegatronFlags& flags, int release);
void read_megatron_training(MegatronFlags& flags, int release);

/// The plan's context_kind for a word of --cp-comm-type; "" for a2a+p2p and what is none. The parser's help
/// says allgather; Transformer Engine, which gets the word unchanged, knows all_gather: both are read.
[[nodiscard]] const char* context_kind_of_transport(std::string_view word);

/// memory.recompute_layers of --recompute-method block: layers of a chunk times the chunks of a rank. Empty
/// when that is every layer of the rank, or no number of layers.
[[nodiscard]] std::optional<std::int64_t> block_recompute_layers(const Imported& plan,
                                                                 std::int64_t per_chunk);

/// The inverse of pattern_text(), and any sum and product of lists of 0 and 1: "([0]*3+[1]*58)"; at most
/// 100,000 entries. Empty when the text is none.
[[nodiscard]] std::optional<std::vector<bool>> pattern_from_text(std::string_view text);

/// The inverse of pipeline_layout(): layers of each chunk; "x*3", "(…)*3" repeat, commas are ignored. Empty
/// when the text is none or has more than 100,000 layers.
[[nodiscard]] std::optional<std::vector<std::int64_t>> layout_from_text(std::string_view text);

} // namespace shardlens::launchers
