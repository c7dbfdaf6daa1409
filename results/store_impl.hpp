#pragma once

#include "results/store_state.hpp"

namespace retrial::results {

struct Store::Impl : StoreState {
  using StoreState::StoreState;
};

}  // namespace retrial::results
