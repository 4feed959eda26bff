"""The table of a cost plan, beside the published run where it solved the same game."""

from rich.table import Table

from errai.cli.render.quantities import format_bytes
from errai.reports.cost_plan import SOLVED_GAMES, CostPlan, Growth

# The field, its label, and where the figure comes from. The plan of a run has no early rows: its rates are late ones.
_ROWS = (
    ("infosets", "infosets", "counted"),
    ("disk_bytes", "on disk", "{bytes:.3f} bytes per infoset measured on {where}"),
    ("early_regret_bytes", "  regrets, early", "as measured"),
    ("regret_bytes", "  regrets, late", "{late_regrets}"),
    ("average_bytes", "  average, late", "{late_average}"),
    ("core_hours_per_iteration", "core-hours per iteration", "on average over all iterations"),
    ("early_core_hours_per_iteration", "  early", "{rate}"),
    ("regret_core_hours_per_iteration", "  late", "{late_seconds}; {alone:,} iterations of regrets alone"),
    ("average_core_hours_per_update", "  the average, in addition", "{late_update}; the last {updates:,} iterations"),
    ("iterations", "iterations to 1 mbb/g", "{iterations}"),
    ("core_years", "core-years", "extrapolated from the rows above{years}"),
    ("bytes_written", "written in all", "extrapolated, with files of full size from the beginning"),
    ("minutes_per_iteration", "minutes per iteration", "on {cores:,} cores"),
    ("days", "days", "on {cores:,} cores"),
    ("days_on_one_node", "days on one node", "of {node_cores:,} cores"),
    ("least_nodes", "nodes that hold it", "with {disk} each"),
    ("disk_bytes_per_second_per_node", "disk, per node", "regrets read twice and written once per iteration"),
    ("network_bytes_per_second", "network, leading node", "reach out, values back"),
)


def cost_table(cost: CostPlan) -> Table:
    growth, grows = cost.growth, cost.growth != Growth()
    where = f"{cost.rates.game}, iteration {cost.rates.iteration:,}"
    rate = f"{1e-6 / cost.rates.core_seconds_per_infoset:.1f} million infosets per core-second, measured on {where}"
    names = {
        "bytes": cost.rates.bytes_per_infoset,
        "rate": rate,
        "where": where,
        "late_regrets": f"extrapolated: early x {growth.regret_bytes:.2f}" if grows else "as measured",
        "late_average": f"extrapolated: measured x {growth.average_bytes:.2f}" if grows else "as measured",
        "late_seconds": f"extrapolated: early x {growth.core_seconds:.2f}" if grows else rate,
        "late_update": _source_of_update(cost),
        "cores": cost.cluster.num_cores,
        "disk": format_bytes(int(cost.cluster.disk_bytes_per_node)),
        "node_cores": cost.cluster.cores_per_node,
        "updates": cost.average_updates,
        "alone": cost.iterations - cost.average_updates,
        "iterations": "given",
        "years": "",
    }
    fewest, most = cost.iterations_bounds
    if fewest < most:
        low, high = cost.core_years_bounds
        games = ", ".join(f"{ours} : {theirs} in {game}" for game, (ours, theirs) in SOLVED_GAMES.items())
        names["iterations"] = f"extrapolated, {fewest:,} to {most:,}: published x ours : CFR+, {games}"
        names["years"] = f", {low:.3g} to {high:.3g}"
    table = Table(box=None, pad_edge=False)
    table.add_column(cost.game, style="bold")
    table.add_column("this program", justify="right")
    if cost.published is not None:
        table.add_column("published", justify="right")
    table.add_column("source")
    for name, label, source in _ROWS:
        if name.startswith("early") and not grows:
            continue
        row = [label, _text(name, getattr(cost, name))]
        if cost.published is not None:
            row.append(_text(name, cost.published[name]) if name in cost.published else "")
        table.add_row(*row, source.format(**names))
    return table


def _source_of_update(cost: CostPlan) -> str:
    if not cost.rates.average_core_seconds_per_infoset:
        return "not measured apart from the row above"
    if cost.growth == Growth():
        return "as measured"
    return f"extrapolated: measured x {cost.growth.core_seconds:.2f}"


def _text(name: str, value: float) -> str:
    if name.startswith(("disk_bytes_per", "network")):
        return f"{format_bytes(int(value))}/s"
    if name in ("disk_bytes", "early_regret_bytes", "regret_bytes", "average_bytes", "bytes_written"):
        return format_bytes(int(value))
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"
