"""Chunks of columns as a pandas data frame."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from errai.errors import InputError
from errai.solutions.engine import Columns

if TYPE_CHECKING:
    from pandas import DataFrame


def to_dataframe(chunks: Iterable[Columns]) -> "DataFrame":
    """One data frame of all chunks."""
    try:
        import pandas
    except ImportError:
        raise InputError(
            "a data frame needs pandas, which is not installed", hint="`pip install pandas`, or `export` a `.csv` file"
        ) from None
    return pandas.concat([pandas.DataFrame(columns) for columns in chunks], ignore_index=True)
