// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/bash_variables.h"

#include <algorithm>
#include <utility>

namespace shardlens::launchers {

const BashVariable* BashVariables::find(const std::string& name) const {
    const auto found = m_variables.find(name);
    return found == m_variables.end() ? nullptr : &found->second;
}

void BashVariables::save_copy(const std::string& name) {
    if (m_scopes.empty() || m_scopes.back().contains(name)) return;
    const BashVariable* value = find(name);
    m_scopes.back().emplace(name, value ? std::optional(*value) : std::nullopt);
    if (!value) return;
    for (const std::string& item : value->items) m_copied += item.size() + sizeof(std::string);
}

void BashVariables::assign(const std::string& name, BashVariable value) {
    const auto found = m_variables.find(name);
    if (found == m_variables.end()) {
        save_copy(name);
        m_variables.emplace(name, std::move(value));
        return;
    }
    if (!m_scopes.empty()) m_scopes.back().try_emplace(name, std::move(found->second));
    found->second = std::move(value);
}

void BashVariables::append(const std::string& name, BashVariable value) {
    save_copy(name);
    BashVariable& variable = m_variables[name];
    if (value.array || variable.array) {
        if (variable.items.size() == 1 && variable.items[0].empty() && !variable.array)
            variable.items.clear();
        if (variable.array && !value.array && !variable.items.empty()) { // A+=x: to the first element
            variable.items[0] += value.items[0];
            return;
        }
        variable.array = true;
        for (std::string& item : value.items) variable.items.push_back(std::move(item));
    } else {
        variable.items.resize(1);
        variable.items[0] += value.items[0];
    }
}

bool BashVariables::set_element(const std::string& name, std::int64_t index, std::string value) {
    const BashVariable* now = find(name);
    const auto size = static_cast<std::int64_t>(now ? now->items.size() : 0);
    const bool open = now && !now->array && size > 0 && now->items[0].find(kOpenMark) != std::string::npos;
    if (index < 0) index += size;
    if (open || index < 0 || index > size) return false;
    save_copy(name);
    BashVariable& variable = m_variables[name];
    variable.array = true;
    if (index == size) variable.items.emplace_back();
    variable.items[static_cast<std::size_t>(index)] = std::move(value);
    return true;
}

bool BashVariables::remove_element(const std::string& name, std::int64_t index) {
    const BashVariable* now = find(name);
    if (!now || !now->array) return false;
    const auto size = static_cast<std::int64_t>(now->items.size());
    if (index < 0) index += size;
    if (index >= size) return true;
    if (index != size - 1) return false; // the others keep their indices
    save_copy(name);
    m_variables[name].items.pop_back();
    return true;
}

void BashVariables::open(const std::string& name) { assign(name, {{open_mark(name)}, false}); }

void BashVariables::restore(const std::string& name, std::optional<BashVariable> value) {
    if (value) return assign(name, *std::move(value));
    save_copy(name);
    m_variables.erase(name);
}

void BashVariables::commit() {
    Saved inner = std::move(m_scopes.back());
    m_scopes.pop_back();
    if (m_scopes.empty()) return;
    Saved& outer = m_scopes.back();
    if (outer.size() < inner.size()) { // the older value counts
        for (auto& [name, value] : outer) inner[name] = std::move(value);
        outer = std::move(inner);
    } else {
        outer.merge(inner);
    }
}

void BashVariables::rollback() {
    Saved saved = std::move(m_scopes.back());
    m_scopes.pop_back();
    for (auto& [name, value] : saved) {
        if (value)
            m_variables[name] = *std::move(value);
        else
            m_variables.erase(name);
    }
}

std::size_t BashVariables::take_copied() { return std::exchange(m_copied, 0); }

} // namespace shardlens::launchers
