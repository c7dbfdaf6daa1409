#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/json/json.hpp"

namespace retrial::determinism::inline operators {

/// One call of an operator of the library, without the values of its tensors, as a document that another process can
/// make again: {"operator": "aten::mm", "arguments": [...]}, the name with its overload. An argument is null (none, or
/// an undefined tensor) or an object with one of
///   "tensor": dtype, "sizes", "strides", "low" and "high" (the range of its values; absent if unknown), "number": true
///             for a scalar of the program that the library wrapped
///   "tensors": a list of tensors, each as above or null
///   "lengths": integers that are lengths of a tensor; "window": size, stride or padding of a convolution or pooling;
///             "ints": other integers
///   "int", "bool", "bools", "text", "device"; "double" and "doubles" as 16 hex digits
using Call = Json;

[[nodiscard]] std::string operator_of(const Call& call);
/// The defined tensors of all arguments, in order. Valid while the call lives.
[[nodiscard]] std::vector<Json*> tensors_of(Call& call);
[[nodiscard]] std::vector<const Json*> tensors_of(const Call& call);
[[nodiscard]] bool holds_integers(const Json& tensor);
/// Elements of all tensors together, and of those that its lengths ask for.
[[nodiscard]] std::int64_t elements_of(const Call& call);
/// The call without lengths, ranges and odd numbers: calls of one kind differ only in those. Numbers such as 0.5 and 2
/// stay, because an operator may have a path of its own for each.
[[nodiscard]] std::string kind_of(const Call& call);
/// The lengths of its tensors that may be another number, from 2 on, once, in ascending order. Behind a window (of
/// convolutions and poolings) those of images stay: only rows and channels may change.
[[nodiscard]] std::vector<std::int64_t> free_lengths(const Call& call);

/// The same call at odd shapes: every free length in turn becomes one of a few, in all arguments at once, so that
/// lengths that agree still do (the rows of a product, the channels of a convolution and its weights). The other
/// lengths stay, or become 1: then a loop over vectors ends with a tail of 1 to 17 elements, or has more than the
/// 32,768 elements above which the library divides it. Strides keep their order; integers stay below the new lengths.
/// An operator may refuse some of these calls.
[[nodiscard]] std::vector<Call> odd_shapes(const Call& call);

}  // namespace retrial::determinism::inline operators
