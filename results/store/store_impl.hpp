#pragma once

#include "results/store/store_state.hpp"

namespace retrial::results::inline store {

struct Store::Impl : StoreState {
  using StoreState::StoreState;
};

}  // namespace retrial::results::inline store
