#include "variance/rng.hpp"
