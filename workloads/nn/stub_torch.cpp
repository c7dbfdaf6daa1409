#include "results/error.hpp"
