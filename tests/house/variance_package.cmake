# Installs the variance library into an empty folder, then configures, builds and runs a program that knows nothing of
# this project but find_package(retrial-variance).
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
step(${CMAKE_COMMAND} --install ${BUILD} --component variance --prefix ${SCRATCH}/installed)
if(EXISTS ${SCRATCH}/installed/include/retrial/variance/comparison_parts.hpp)
  message(FATAL_ERROR "a header for the folder itself was installed")
endif()
step(${CMAKE_COMMAND} -S ${CONSUMER} -B ${SCRATCH}/build -G Ninja -DCMAKE_PREFIX_PATH=${SCRATCH}/installed
  -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
step(${CMAKE_COMMAND} --build ${SCRATCH}/build)
step(${SCRATCH}/build/consumer)
if(NOT output MATCHES "candidate is BETTER")
  message(FATAL_ERROR "the consumer printed: ${output}")
endif()
