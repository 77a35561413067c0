// SPDX-License-Identifier: GPL-3.0-or-later
// A vector for millions of numbers that are written once: it is not filled when it grows, and where the
// system has large pages it lies on them. Page by page, the first touch of the times of a million operations
// takes longer than computing them.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace shardlens::pipeline {

/// Memory for `bytes`, on large pages when it is large; nullptr when there is none.
[[nodiscard]] void* allocate_large(std::size_t bytes) noexcept;
void free_large(void* memory) noexcept;

template <class T> struct LargePages {
    using value_type = T;

    LargePages() = default;
    template <class U> LargePages(const LargePages<U>& /*other*/) noexcept {}

    [[nodiscard]] T* allocate(std::size_t count) {
        if (count > std::numeric_limits<std::size_t>::max() / (2 * sizeof(T))) throw std::bad_alloc();
        void* memory = allocate_large(count * sizeof(T));
        if (!memory) throw std::bad_alloc();
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t /*count*/) noexcept { free_large(memory); }

    /// resize(n) leaves new numbers as they are; resize(n, value) and assign() fill as usual.
    template <class U> void construct(U* at) noexcept { ::new (static_cast<void*>(at)) U; }
    template <class U, class... Args> void construct(U* at, Args&&... args) {
        ::new (static_cast<void*>(at)) U(std::forward<Args>(args)...);
    }

    template <class U> bool operator==(const LargePages<U>& /*other*/) const noexcept { return true; }
};

template <class T> using LargeVector = std::vector<T, LargePages<T>>;

} // namespace shardlens::pipeline
