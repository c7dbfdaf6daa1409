# CUDA sources and the worker of device = "cuda" (docs/gpu.md). A CUDA compiler compiles them; the worker is linked against a
# LibTorch with CUDA and the runtime library next to it. Nothing here needs a device or a driver.
if(NOT RETRIAL_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "RETRIAL_CUDA = ${RETRIAL_CUDA}: unknown value (allowed: AUTO, ON, OFF)")
endif()
set(retrial_compiles_cuda OFF)
set(retrial_links_cuda OFF)
if(RETRIAL_CUDA STREQUAL OFF)
  message(STATUS "RETRIAL_CUDA is OFF: CUDA sources and retrial-worker-cuda are left out")
  return()
endif()

function(retrial_without_cuda left_out reason)
  if(RETRIAL_CUDA STREQUAL ON)
    message(FATAL_ERROR "RETRIAL_CUDA is ON, but ${reason}")
  endif()
  message(STATUS "${left_out} left out: ${reason}")
endfunction()

include(CheckLanguage)
if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90)
endif()
# nvcc of the PATH, else that of scripts/setup --cuda, which may have come after an earlier configuration found none.
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(nvcc nvcc PATHS ${PROJECT_SOURCE_DIR}/.deps/libtorch/nvidia/cu13/bin NO_CACHE)
  if(nvcc)
    unset(CMAKE_CUDA_COMPILER CACHE)
    set(ENV{CUDACXX} ${nvcc})
  endif()
endif()
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  retrial_without_cuda("CUDA sources and retrial-worker-cuda are"
    "no CUDA compiler that works was found (put nvcc on the PATH, or run scripts/setup --cuda=link)")
  return()
endif()
enable_language(CUDA)
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25.1 does not know it for later toolkits
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA_STANDARD_LATEST 20)
endif()
set(retrial_compiles_cuda ON)
message(STATUS "CUDA ${CMAKE_CUDA_COMPILER_VERSION}: CUDA sources are compiled for ${CMAKE_CUDA_ARCHITECTURES}")
if(NOT RETRIAL_TORCH)
  return()
endif()

cmake_path(GET LIBTORCH_DIR PARENT_PATH beside_libtorch)
find_file(retrial_cudart libcudart.so.13 NO_CACHE NO_DEFAULT_PATH
  PATHS ${beside_libtorch}/nvidia/cu13/lib ${CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES})
if(NOT EXISTS ${LIBTORCH_DIR}/lib/libtorch_cuda.so)
  retrial_without_cuda("retrial-worker-cuda is"
    "${LIBTORCH_DIR}/lib/libtorch_cuda.so does not exist (run scripts/setup --cuda=link)")
elseif(NOT retrial_cudart)
  retrial_without_cuda("retrial-worker-cuda is" "libcudart.so.13 is neither next to LibTorch nor in the toolkit")
else()
  set(retrial_links_cuda ON)
endif()

# The objects of retrial-worker with those for CUDA. Ours name no symbol of libtorch_cuda: without --no-as-needed it would be
# dropped, and every CUDA kernel with it. Libraries that it needs itself may be missing here; they are needed at its start.
function(retrial_add_cuda_worker)
  add_executable(retrial-worker-cuda)
  set_target_properties(retrial-worker-cuda PROPERTIES
    LINKER_LANGUAGE CXX CUDA_RUNTIME_LIBRARY None INSTALL_RPATH_USE_LINK_PATH ON)
  target_link_options(retrial-worker-cuda PRIVATE -Wl,--allow-shlib-undefined)
  target_link_libraries(retrial-worker-cuda PRIVATE
    retrial::worker_main retrial::harness retrial::workloads retrial::workloads_torch retrial::determinism retrial_determinism_cuda
    retrial_workloads_cuda
    -Wl,--push-state,--no-as-needed ${LIBTORCH_DIR}/lib/libtorch_cuda.so ${LIBTORCH_DIR}/lib/libc10_cuda.so -Wl,--pop-state
    ${retrial_cudart})
endfunction()
