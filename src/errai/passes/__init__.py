"""One pass of a kernel over a tree: update, best response or evaluation, in memory or streamed."""
