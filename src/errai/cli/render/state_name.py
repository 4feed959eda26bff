"""A public state in words."""

from errai.reports.state import StateReport


def state_name(report: StateReport) -> str:
    """`Ks8s3d after rc/c`; before any card and any action, `the first decision`."""
    board = report.definition.deck.text(report.board)
    if not board and not report.betting:
        return "the first decision"
    return f"{board or 'no board'} after {report.betting or 'no betting'}"
