"""Amounts as a person reads them."""

from rich.filesize import decimal


def format_seconds(seconds: float) -> str:
    """`0.34 s`, `12.5 s`, `3 min 20 s`, `2 h 5 min`."""
    if seconds < 60:
        return f"{seconds:.3g} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def format_count(number: int, noun: str) -> str:
    """`1 flop`, `1,755 flops`."""
    return f"{number:,} {noun}" + ("s" if number != 1 else "")


def format_bytes(number: int) -> str:
    """`1.2 MB`, in powers of 1,000."""
    return decimal(number)
