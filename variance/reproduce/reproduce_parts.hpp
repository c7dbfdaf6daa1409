#pragma once

#include <string>
#include <utility>
#include <vector>

#include "variance/reproduce/reproduce.hpp"

/// For .cpp files of this folder: the functions of the table in reproduction_rows.cpp, one file each, and the rows of
/// other folders.
namespace retrial::variance::inline reproduce {

[[nodiscard]] std::vector<Reproduction>& registered_reproductions();

namespace reproductions {

Reproduced bouthillier();
Reproduced demsar();
Reproduced rliable();
Reproduced confseq();
Reproduced tigerbeetle();

/// Adds a line; lists in braces: add(table, "wins", {1.0}, {1.0}, 0.0).
inline void add(Reproduced& table, std::string what, std::vector<double> value, std::vector<double> reference,
                double tolerance) {
  table.lines.push_back({std::move(what), std::move(value), std::move(reference), tolerance});
}

}  // namespace reproductions
}  // namespace retrial::variance::inline reproduce
