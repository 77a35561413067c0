// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/large_vector.h"

#include <cstdlib>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace shardlens::pipeline {

namespace {

constexpr std::size_t kPage = std::size_t{2} << 20; ///< of x86-64 and, with 4 KiB base pages, arm64
constexpr std::size_t kLarge = kPage;               ///< less is not worth rounding up

} // namespace

void* allocate_large(std::size_t bytes) noexcept {
    if (bytes < kLarge) return std::malloc(bytes > 0 ? bytes : 1);
    const std::size_t rounded = (bytes + kPage - 1) / kPage * kPage;
    void* memory = std::aligned_alloc(kPage, rounded);
#ifdef __linux__
    if (memory) static_cast<void>(::madvise(memory, rounded, MADV_HUGEPAGE)); // a wish: without it all works
#endif
    return memory;
}

void free_large(void* memory) noexcept { std::free(memory); }

} // namespace shardlens::pipeline
