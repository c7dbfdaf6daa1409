#include "determinism/switches.hpp"
