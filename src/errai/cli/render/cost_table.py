"""The table of a cost plan, beside the published run where it solved the same game."""

from rich.table import Table

from errai.cli.render.quantities import format_bytes
from errai.reports.cost_plan import CostPlan

# The field, its label, and where the figure comes from.
_ROWS = (
    ("infosets", "infosets", "counted"),
    ("disk_bytes", "on disk", "{bytes:.3f} bytes per infoset, measured on {where}"),
    (
        "core_hours_per_iteration",
        "core-hours per iteration",
        "{rate:.1f} million infosets per core-second, measured on {where}",
    ),
    ("iterations", "iterations to 1 mbb/g", "as in the published run unless given"),
    ("core_years", "core-years", "extrapolated from the rows above"),
    ("minutes_per_iteration", "minutes per iteration", "on {cores:,} cores"),
    ("days", "days", "on {cores:,} cores"),
    ("least_nodes", "nodes that hold it", "with {disk} each"),
    ("disk_bytes_per_second_per_node", "disk, per node", "read twice and written once per iteration"),
    ("network_bytes_per_second", "network, leading node", "reach out, values back"),
)


def cost_table(cost: CostPlan) -> Table:
    names = {
        "bytes": cost.rates.bytes_per_infoset,
        "rate": 1e-6 / cost.rates.core_seconds_per_infoset,
        "where": f"{cost.rates.game}, iteration {cost.rates.iteration:,}",
        "cores": cost.cluster.num_cores,
        "disk": format_bytes(int(cost.cluster.disk_bytes_per_node)),
    }
    table = Table(box=None, pad_edge=False)
    table.add_column(cost.game, style="bold")
    table.add_column("this program", justify="right")
    if cost.published is not None:
        table.add_column("published", justify="right")
    table.add_column("source")
    for name, label, source in _ROWS:
        row = [label, _text(name, getattr(cost, name))]
        if cost.published is not None:
            row.append(_text(name, cost.published[name]) if name in cost.published else "")
        table.add_row(*row, source.format(**names))
    return table


def _text(name: str, value: float) -> str:
    if name.startswith(("disk_bytes_per", "network")):
        return f"{format_bytes(int(value))}/s"
    if name == "disk_bytes":
        return format_bytes(int(value))
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"
