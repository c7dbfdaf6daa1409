# Installs the variance library into an empty folder, then configures, builds and runs a program that uses this project
# only through find_package(retrial-variance).
include(${CMAKE_CURRENT_LIST_DIR}/installed.cmake)
step(${CMAKE_COMMAND} --install ${BUILD} --component variance --prefix ${SCRATCH}/installed)
if(EXISTS ${SCRATCH}/installed/include/retrial/variance/comparisons/comparison_parts.hpp)
  message(FATAL_ERROR "a header for the folder itself was installed")
endif()
headers_are_complete(${SCRATCH}/installed/include/retrial)
step(${CMAKE_COMMAND} -S ${CONSUMER} -B ${SCRATCH}/build -G Ninja -DCMAKE_PREFIX_PATH=${SCRATCH}/installed
  -DCMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
step(${CMAKE_COMMAND} --build ${SCRATCH}/build)
step_says("candidate is BETTER" ${SCRATCH}/build/consumer)
