// SPDX-License-Identifier: GPL-3.0-or-later
// The way back through the tables of key_rows.h.
#pragma once

#include <span>
#include <string>

#include "launchers/import_keys.h"
#include "launchers/key_rows.h"

namespace shardlens::launchers {

/// Spellings of a key in older releases, the newest first.
struct OldNames {
    const char* key;
    std::vector<const char*> old;
};

/// The key with its older spellings.
[[nodiscard]] Names names_of(std::string_view key, std::span<const OldNames> old = {});

/// Reads every row that the document has; a word that no row knows is a not_understood note, and a whole
/// number that is none is asked for. Of several plan values with one word the first counts.
void read_rows(std::span<const KeyRow> rows, KeyReader& keys, Imported& plan,
               std::span<const OldNames> old = {});

/// "cluster.gpus" = the product, read from `key`, when all factors are known.
void read_world(KeyReader& keys, Imported& plan, const Names& key,
                std::initializer_list<const char*> degrees);

/// training.global_batch_size = micro-batch · data · accumulation, when the two former are known; else it is
/// asked for, with the key.
void read_global_batch(KeyReader& keys, Imported& plan, const Names& accumulation);

/// The same from a number of micro-batches per data rank and step, with the data ranks that are left of
/// cluster.gpus; asks for the batch where those or the micro-batch are not known.
void read_micro_batch_count(KeyReader& keys, Imported& plan, const Names& key);

/// training.gradient_dtype of a launcher that keeps gradients in the training precision, where that is known.
void assume_gradient_precision(Imported& plan);

/// The value of a plan field, or what a plan that leaves it out has.
[[nodiscard]] std::int64_t integer_or(const Imported& plan, std::string_view path, std::int64_t otherwise);

} // namespace shardlens::launchers
