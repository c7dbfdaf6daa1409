# Appends to the list a file that defines the string NAME_json in the namespace, the text of the file NAME.json.
function(retrial_embed_json into namespace file)
  cmake_path(GET file STEM name)
  file(READ ${file} text)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}_json.cpp @ONLY CONTENT [[
#include <string_view>
namespace @namespace@ {
extern const std::string_view @name@_json;
const std::string_view @name@_json = R"json(@text@)json";
}
]])
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  list(APPEND ${into} ${CMAKE_CURRENT_BINARY_DIR}/${name}_json.cpp)
  return(PROPAGATE ${into})
endfunction()
