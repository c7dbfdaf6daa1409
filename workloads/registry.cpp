#include "workloads/registry.hpp"
