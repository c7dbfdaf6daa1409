# Third parties, for this tree and for the installed package (retrialConfig.cmake includes this very file). Their headers
# are SYSTEM, so that our warnings stay ours. Targets are IMPORTED: an export names them and keeps no path of theirs.
find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
find_package(SQLite3 REQUIRED)
find_package(SQLiteCpp REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)
find_package(JPEG)  # optional: one corruption of images
find_package(Threads REQUIRED)
foreach(name re2 nettle xxhash)
  string(TOUPPER RETRIAL_${name} path)
  find_library(${path} ${name} REQUIRED)
  if(NOT TARGET retrial_${name})
    add_library(retrial_${name} INTERFACE IMPORTED)
    target_link_libraries(retrial_${name} INTERFACE ${${path}})
  endif()
endforeach()

if(RETRIAL_TORCH AND NOT TARGET retrial_libtorch)
  # No find_package(Torch): it insists on a CUDA toolkit and adds flags for every architecture. The unpacked wheel
  # runs as it is, because its RPATH finds the two NVIDIA libraries next to it.
  set(LIBTORCH_DIR "$ENV{LIBTORCH_DIR}" CACHE PATH "folder of LibTorch with include/ and lib/")
  if(NOT LIBTORCH_DIR)
    set(LIBTORCH_DIR ${retrial_default_libtorch} CACHE PATH "" FORCE)
  endif()
  if(NOT EXISTS ${LIBTORCH_DIR}/lib/libtorch_cpu.so)
    message(FATAL_ERROR "no LibTorch in ${LIBTORCH_DIR}: set LIBTORCH_DIR; in the source tree run scripts/setup, or configure the core preset")
  endif()
  add_library(retrial_libtorch INTERFACE IMPORTED)
  target_include_directories(retrial_libtorch SYSTEM INTERFACE
    ${LIBTORCH_DIR}/include ${LIBTORCH_DIR}/include/torch/csrc/api/include)
  target_link_libraries(retrial_libtorch INTERFACE
    ${LIBTORCH_DIR}/lib/libtorch_cpu.so ${LIBTORCH_DIR}/lib/libc10.so)
  # The observer class of LibTorch has one more member without NDEBUG; a release library needs it defined.
  target_compile_definitions(retrial_libtorch INTERFACE NDEBUG)
endif()
