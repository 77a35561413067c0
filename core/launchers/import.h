// SPDX-License-Identifier: GPL-3.0-or-later
// The way back: somebody's configuration file becomes a plan, with an account of every key in it. Nothing of
// a file is executed, nothing is guessed and nothing is dropped without a line that says so.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/message.h"
#include "plan/plan.h"
#include "json/result.h"

namespace shardlens::launchers {

/// One line of the account.
struct ImportNote {
    enum class Kind : std::uint8_t {
        read,           ///< a plan field taken from a key
        assumed,        ///< a plan field that the file leaves out and the launcher's own default gives
        missing,        ///< a plan field that must be given and that the file does not say
        not_understood, ///< a key or value that did not become a plan field
        warning,        ///< the file can be read, its own program may see it otherwise
    };
    Kind kind = Kind::read;
    std::string path;          ///< plan path, may be empty
    std::string key;           ///< the file's key, flag or line, may be empty
    std::string value;         ///< as written (read), or as set (assumed); may be empty
    std::string text_template; ///< English with {0}, {1} …, may be empty; also the key for translation
    std::vector<std::string> arguments;

    [[nodiscard]] std::string text() const;
    /// The whole note as one line: "read: parallel.tensor = 8 from --tensor-model-parallel-size".
    [[nodiscard]] std::string line() const;
};

[[nodiscard]] const char* to_string(ImportNote::Kind kind);

struct ImportOptions {
    std::string kind;              ///< importer's id, or id@version; "" = by looking at the file
    std::vector<std::string> sets; ///< PATH=VALUE as of --set: fills gaps, wins over the file
    /// Of a file with several models or configurations the one meant: "thinker_config.text_config", a
    /// function.
    std::string part;
};

/// The plan as far as a file says it: what importers write into. Values are checked against the field table
/// as they come; one that cannot be is a note and leaves the field unset.
class Imported {
public:
    using Arguments = std::vector<std::string>;

    Imported() = default;
    explicit Imported(std::string part) : m_part(std::move(part)) {}
    /// ImportOptions::part.
    [[nodiscard]] const std::string& part() const { return m_part; }

    /// Whose choice the version handed to the importer was, for the note of the target.
    enum class VersionFrom : std::uint8_t { newest, header, asked };
    void set_version_from(VersionFrom from) { m_version_from = from; }
    [[nodiscard]] const char* version_reason() const;

    /// What --set gives beside the file; visible to value() and integer(), never written by an importer.
    void give(std::string path, FieldValue value);

    /// The file's key says the field. `shown` = the value as written. False when the field cannot have it.
    bool read(std::string_view path, const FieldValue& value, std::string_view key, std::string_view shown,
              std::string_view text = {}, Arguments arguments = {});
    /// The file leaves it out; `text` says whose default that is. False where the field has been asked for.
    bool assume(std::string_view path, const FieldValue& value, std::string_view text,
                Arguments arguments = {});
    /// Takes a field back (it is then left out again); its notes go as well.
    void drop(std::string_view path);

    /// The field must be given and cannot be had from this file, because …
    void missing(std::string_view path, std::string_view text, Arguments arguments = {},
                 std::string_view key = {}, std::string_view shown = {});
    /// The same for a field that a plan may leave out and this file's program does not take by a plan's
    /// default: the plan is not complete before it is given. Nothing when it is there already.
    void needs(std::string_view path, std::string_view text, Arguments arguments = {},
               std::string_view key = {}, std::string_view shown = {});
    /// Was the field asked for by needs(), and nothing gives it? Then no default stands for it.
    [[nodiscard]] bool asked(std::string_view path) const;
    void not_understood(std::string_view key, std::string_view shown, std::string_view text,
                        Arguments arguments = {});
    void warn(std::string_view key, std::string_view shown, std::string_view text, Arguments arguments = {});

    /// Given, read or assumed so far.
    [[nodiscard]] std::optional<FieldValue> value(std::string_view path) const;
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view path) const;
    [[nodiscard]] bool has(std::string_view path) const { return value(path).has_value(); }
    [[nodiscard]] bool has_note(ImportNote::Kind kind, std::string_view path) const;

    [[nodiscard]] const std::map<std::string, FieldValue, std::less<>>& values() const { return m_values; }
    [[nodiscard]] const std::vector<ImportNote>& notes() const { return m_notes; }
    /// Paths of needs().
    [[nodiscard]] const std::vector<std::string>& needed() const { return m_needed; }

private:
    void note(ImportNote note);

    std::map<std::string, FieldValue, std::less<>> m_values, m_given;
    std::vector<ImportNote> m_notes;
    std::vector<std::string> m_needed;
    VersionFrom m_version_from = VersionFrom::newest;
    std::string m_part;
    std::size_t m_beyond = 0;
};

/// Text of the file in, fields out. `origin` = file name for messages; `version` = one of Importer::versions
/// or
/// "". The error (empty when done) is for a file that is not of this kind at all: what is odd inside one is a
/// note.
using ReadFunction = Error (*)(std::string_view text, const std::string& origin, std::string_view version,
                               Imported& plan);

struct Importer {
    const char* id;                    ///< "megatron-script", "hf-config", …
    const char* title;                 ///< "Megatron-LM launch script"
    std::vector<const char*> versions; ///< first = default; empty = no difference known
    const char* launcher;              ///< launcher of the same software in table(), "" = none
    /// 0 = cannot be, 100 = cannot be anything else. Must be cheap: it looks at the text, it does not parse
    /// it.
    int (*looks_like)(std::string_view text, std::string_view file_name);
    ReadFunction read;
};

[[nodiscard]] std::span<const Importer> importers();

/// "megatron-script@0.16" → importer and version; the error names the nearest id or the versions it has.
[[nodiscard]] Result<std::pair<const Importer*, std::string>> find_importer(std::string_view kind);

/// The most likely importer; the error lists the kinds to choose from.
[[nodiscard]] Result<const Importer*> detect(std::string_view text, const std::string& file_name);

struct ImportResult {
    const Importer* importer = nullptr;
    std::string version;
    std::string text; ///< the plan as JSON, in the contract's order; partial while something is missing
    std::optional<Plan> plan; ///< when nothing that must be given is missing
    std::vector<ImportNote> notes;
};

/// The whole way: detect, read, apply the sets, list what is still missing. Errors: not of any known kind,
/// not readable as its kind, over kMaxInputBytes, a --set that is none.
[[nodiscard]] Result<ImportResult> import_plan(std::string_view text, const std::string& origin,
                                               const ImportOptions& options = {});

} // namespace shardlens::launchers
