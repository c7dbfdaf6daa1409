#include "tests/fault/failing_memory.hpp"

#include <sqlite3.h>

namespace retrial::tests {
namespace {

sqlite3_mem_methods below;
thread_local std::int64_t left = -1;
thread_local bool lasting = false, hit = false;

bool refused() {
  if (left < 0) return false;
  if (left > 0 && --left > 0) return false;
  hit = true;
  if (!lasting) left = -1;
  return true;
}

void* allocate(int size) {
  return refused() ? nullptr : below.xMalloc(size);
}
void* reallocate(void* old, int size) {
  return refused() ? nullptr : below.xRealloc(old, size);
}

bool install() {
  if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &below) != SQLITE_OK) return false;
  sqlite3_mem_methods mine = below;
  mine.xMalloc = allocate;
  mine.xRealloc = reallocate;
  return sqlite3_config(SQLITE_CONFIG_MALLOC, &mine) == SQLITE_OK;
}
const bool in_place = install();

}  // namespace

FailingMemory::FailingMemory(std::int64_t nth, bool for_good) {
  left = nth;
  lasting = for_good;
  hit = false;
}

FailingMemory::~FailingMemory() {
  left = -1;
}

bool FailingMemory::failed() const {
  return hit;
}

bool FailingMemory::installed() {
  return in_place;
}

}  // namespace retrial::tests
