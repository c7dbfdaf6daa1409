#include "results/digest/chain.hpp"

namespace retrial::results::inline digest {

void Chain::add(std::string_view line) {
  Sha256 sum;
  if (lines_++ > 0) sum.update(hash_);
  sum.update(line);
  hash_ = sum.finish();
}

}  // namespace retrial::results::inline digest
