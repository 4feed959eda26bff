#include "lanes/block_impl.hpp"

namespace errai {

ERRAI_INSTANTIATE_BLOCK(double)

}  // namespace errai
