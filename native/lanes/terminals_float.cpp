#include "lanes/terminals_impl.hpp"

namespace errai {

ERRAI_INSTANTIATE_TERMINALS(float)

}  // namespace errai
