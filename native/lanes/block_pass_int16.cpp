#include "lanes/block_pass_impl.hpp"

namespace errai {

ERRAI_INSTANTIATE_BLOCK_PASS(std::int16_t)

}  // namespace errai
