#include "determinism/seeds.hpp"
