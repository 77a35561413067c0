// SPDX-License-Identifier: GPL-3.0-or-later
// The variables of a bash script, with scopes whose changes can be dropped: a subshell's, for one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::launchers {

// What is not known stands between these two in a value, by name; the file's own control characters are
// blanks.
inline constexpr char kOpenMark = '\x01', kCloseMark = '\x02';

[[nodiscard]] inline std::string open_mark(std::string_view name) {
    return kOpenMark + std::string(name) + kCloseMark;
}

struct BashVariable {
    std::vector<std::string> items; ///< one for a plain variable; none: known to be unset
    bool array = false;
};

class BashVariables {
public:
    /// Null: the script says nothing of it.
    [[nodiscard]] const BashVariable* find(const std::string& name) const;
    [[nodiscard]] const std::map<std::string, BashVariable>& all() const { return m_variables; }

    void assign(const std::string& name, BashVariable value);
    void append(const std::string& name, BashVariable value);
    /// False where the element's place is not certain: an index beyond the end, or a value that is open.
    [[nodiscard]] bool set_element(const std::string& name, std::int64_t index, std::string value);
    [[nodiscard]] bool remove_element(const std::string& name, std::int64_t index);
    /// From here on without a value that is known.
    void open(const std::string& name);
    /// Sets again what find() gave before.
    void restore(const std::string& name, std::optional<BashVariable> value);

    /// Changes behind begin() are kept by commit() and taken back by rollback(); they nest.
    void begin() { m_scopes.emplace_back(); }
    void commit();
    void rollback();

    /// Bytes copied for scopes since the last call.
    [[nodiscard]] std::size_t take_copied();

private:
    using Saved = std::map<std::string, std::optional<BashVariable>>;
    void save_copy(const std::string& name);

    std::map<std::string, BashVariable> m_variables;
    std::vector<Saved> m_scopes; ///< values from before each scope
    std::size_t m_copied = 0;
};

} // namespace shardlens::launchers
