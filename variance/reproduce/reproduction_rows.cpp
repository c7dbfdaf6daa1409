#include <algorithm>
#include <array>

#include "variance/reproduce/reproduce_parts.hpp"

namespace retrial::variance::inline reproduce {
namespace {

constexpr std::array reproduction_rows{
    Reproduction{"bouthillier", "error rates and sample sizes of decision criteria",
                 "Bouthillier et al. 2021, constants of their simulation code; exact sums and quadrature elsewhere",
                 reproductions::bouthillier},
    Reproduction{"demsar", "four classifiers on fourteen data sets",
                 "Demsar 2006, and SciPy's tests (one entry .9751 to break a tie, as there)", reproductions::demsar},
    Reproduction{"rliable", "aggregates over tasks", "tests of rliable, and Agarwal et al. 2021",
                 reproductions::rliable},
    Reproduction{"confseq", "confidence sequences", "tests of confseq, and Howard, Ramdas, McAuliffe and Sekhon 2021",
                 reproductions::confseq},
    Reproduction{"tigerbeetle", "change points of 365 commits of TigerBeetle",
                 "tests of Apache Otava; exact partitions by an independent program", reproductions::tigerbeetle},
};

}  // namespace

std::span<const Reproduction> all_reproductions() {
  static const std::vector<Reproduction> all = [] {
    std::vector<Reproduction> rows(reproduction_rows.begin(), reproduction_rows.end());
    rows.insert(rows.end(), registered_reproductions().begin(), registered_reproductions().end());
    return rows;
  }();
  return all;
}

const Reproduction* find_reproduction(std::string_view name) {
  const auto all = all_reproductions();
  const auto found = std::ranges::find(all, name, &Reproduction::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace retrial::variance::inline reproduce
