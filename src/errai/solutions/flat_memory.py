"""What the flat engine takes for a poker game, told before the tree is built.

Building the tree takes the most: iterating on it afterwards needs less than what is free again by then.

    a node       30 bytes in the arrays of `ExtensiveForm`, and 42 more while its sequence form is made (measured:
                 40.8 and 42.8 on trees of 7 million nodes)
    an infoset   its label and the numbers of its actions
"""

from errai.trees.poker_form import FormSize

_NODE_BYTES = 30 + 42
_INFOSET_BYTES = 80
_ACTION_BYTES = 8


def form_bytes(size: FormSize) -> int:
    """What building a form of that size, and solving it, takes."""
    return size.num_nodes * _NODE_BYTES + size.num_infosets * _INFOSET_BYTES + size.num_actions * _ACTION_BYTES
