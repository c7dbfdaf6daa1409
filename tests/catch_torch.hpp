// Catch2 with LibTorch, whose logging has a CHECK of its own: included first, it cannot take the place of Catch2's
// later. Every unit of several files begins with it (tests/CMakeLists.txt).
#pragma once

#include <c10/util/Logging.h>
#undef CHECK

#include "tests/catch.hpp"
