"""CFR variants on each engine, and linear programs."""
