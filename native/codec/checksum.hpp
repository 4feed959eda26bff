// A checksum of a file's contents.
#pragma once

#include <cstddef>
#include <cstdint>

namespace errai {

// 64 bits. Every step is a bijection, so that any single damaged byte changes the result.
std::uint64_t checksum(const std::uint8_t* data, std::size_t size);

}  // namespace errai
