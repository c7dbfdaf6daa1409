# cmake -DFILE=PROGRAM -P run_path.cmake: the run path of a copy becomes $ORIGIN/../lib. The program has it already, with or without
# further folders (CMAKE_BUILD_RPATH), so that the new one fits in its place.
file(RPATH_SET FILE ${FILE} NEW_RPATH "$ORIGIN/../lib")
