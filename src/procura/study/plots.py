"""Plots of results by matplotlib, the extra ``procura[plots]``: each as PNG and as SVG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from procura.errors import InputError
from procura.study.layout import Plot
from procura.study.measures import Row, quartiles, values
from procura.study.summarise import chosen, distinct, split

ENDINGS = ("png", "svg")
_SIZE = (8.0, 4.5)
_AS_IT_IS = {"parse_math": False}
"""Text in which a dollar sign is a dollar sign."""


def prepare(folder: Path) -> None:
    """Make the folder for plots; raises what keeps them from being drawn."""
    _matplotlib()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--plots {str(folder)!r} cannot be made: {error.strerror}") from None


def draw_plots(plots: Iterable[Plot], rows: Sequence[Row], folder: Path) -> Iterator[Path]:
    """Write every plot, one for each of its group, into the folder; the files made."""
    prepare(folder)
    pyplot = _matplotlib()
    names: Counter[str] = Counter()
    for plot in plots:
        for group, members in split(chosen(rows, plot.where), plot.group):
            if not members:
                continue
            figure, axes = pyplot.subplots(figsize=_SIZE, layout="constrained")
            DRAW[plot.kind](axes, plot, members)
            axes.set_title(": ".join(part for part in (plot.title, group) if part), **_AS_IT_IS)
            name = plot.file if group is None else f"{plot.file}-{_slug(group)}"
            names[name] += 1
            yield from _saved(figure, folder, name if names[name] == 1 else f"{name}-{names[name]}")
            pyplot.close(figure)


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise InputError("plots need matplotlib: install it by pip install 'procura[plots]'") from None
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "procura"
    from matplotlib import pyplot

    return pyplot


def _saved(figure: Any, folder: Path, name: str) -> Iterator[Path]:
    for ending in ENDINGS:
        path = folder / f"{name}.{ending}"
        try:
            figure.savefig(path, dpi=120, metadata={"Date": None} if ending == "svg" else None)
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror}") from None
        yield path


def _slug(text: str) -> str:
    """The text as part of a file's name.

    >>> _slug("5 pieces: t i")
    '5-pieces-t-i'
    """
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split()) or "group"


def _series(plot: Plot, rows: list[Row]) -> Iterator[tuple[str, list[Row]]]:
    for name, members in split(rows, plot.series):
        yield str(name), members


def _over(plot: Plot, rows: Iterable[Row], place: str) -> list[Row]:
    return [row for row in rows if row["of"].get(plot.over, "-") == place]


def _bars(axes: Any, plot: Plot, rows: list[Row]) -> None:
    places = distinct(rows, plot.over)
    several = list(_series(plot, rows))
    width = 0.8 / len(several)
    for number, (_, members) in enumerate(several):
        heights = [plot.value.number(_over(plot, members, place)) for place in places]
        at = [i - 0.4 + width * (number + 0.5) for i in range(len(places))]
        shown = [(x, height) for x, height in zip(at, heights, strict=True) if height is not None]
        axes.bar([x for x, _ in shown], [height for _, height in shown], width, label=str(number))
    _name_places(axes, plot, places)
    if plot.log and any(bar.get_height() > 0 for bar in axes.patches):
        axes.set_yscale("log")
    _legend(axes, several)


def _log_times(axes: Any, plot: Plot, rows: list[Row]) -> None:
    """Medians as points, lines from the lower to the upper quartile; runs without an answer are hollow."""
    places = distinct(rows, plot.over)
    several = list(_series(plot, rows))
    for number, (_, members) in enumerate(several):
        shift = 0.6 * ((number + 0.5) / len(several) - 0.5)
        points = []
        for i, place in enumerate(places):
            here = _over(plot, members, place)
            spread = quartiles([value for value in values(plot.value.measure, here) if value > 0])
            if spread is not None:
                points.append((i + shift, spread, all(row.get("outcome") == "solved" for row in here)))
        colour = f"C{number % 10}"
        for x, (low, _, high), _ in points:
            axes.plot([x, x], [low, high], color=colour, linewidth=1)
        for solved, fill in ((True, colour), (False, "none")):
            shown = [(x, spread[1]) for x, spread, whole in points if whole is solved]
            label = str(number) if solved or not any(whole for _, _, whole in points) else None
            axes.scatter(*_columns(shown), s=18, facecolors=fill, edgecolors=colour, label=label if shown else None)
    if axes.lines:
        axes.set_yscale("log")
    _name_places(axes, plot, places)
    _legend(axes, several)


def _columns(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]


def _solved_against_time(axes: Any, plot: Plot, rows: list[Row]) -> None:
    several = list(_series(plot, rows))
    for number, (_, members) in enumerate(several):
        times = sorted(values(plot.value.measure, [row for row in members if row.get("outcome") == "solved"]))
        axes.step(
            [max(time, 1e-6) for time in times], range(1, len(times) + 1), where="post", label=str(number), marker="."
        )
    axes.set_xscale("log")
    axes.set_xlabel(plot.value.measure)
    axes.set_ylabel("runs solved")
    axes.set_ylim(bottom=0)
    axes.yaxis.get_major_locator().set_params(integer=True)
    _legend(axes, several)


def _scatter(axes: Any, plot: Plot, rows: list[Row]) -> None:
    points = []
    for _, group in split(rows, "group"):
        for _, members in split(group, plot.over):
            of = {name: plot.value.number(some) for name, some in split(members, "configuration")}
            x, y = of.get(plot.x), of.get(plot.y)
            if x is not None and y is not None:
                points.append((x, y))
    axes.scatter(*_columns(points), s=20)
    if plot.log and all(x > 0 and y > 0 for x, y in points):
        axes.set_xscale("log")
        axes.set_yscale("log")
    if points:
        ends = [min(min(point) for point in points), max(max(point) for point in points)]
        axes.plot(ends, ends, color="grey", linewidth=0.8, linestyle="--")
    axes.set_xlabel(f"{plot.x}: {plot.value.name}", **_AS_IT_IS)
    axes.set_ylabel(f"{plot.y}: {plot.value.name}", **_AS_IT_IS)


def _sorted_sums(axes: Any, plot: Plot, rows: list[Row]) -> None:
    sums = [(plot.value.number(members), name) for name, members in _series(plot, rows)]
    shown = sorted((number, name) for number, name in sums if number is not None)
    axes.bar(range(len(shown)), [number for number, _ in shown])
    _name_places(axes, plot, [name for _, name in shown])


def _legend(axes: Any, several: Sequence[tuple[str, Any]]) -> None:
    """Beside the plot, where it covers nothing. Artists are labelled by the number of their series, since matplotlib
    leaves out labels that begin with an underscore; the names are set afterwards."""
    handles, labels = axes.get_legend_handles_labels()
    legend = axes.legend(
        handles, labels, fontsize="small", loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0
    )
    for text in legend.get_texts():
        text.set(text=several[int(text.get_text())][0], **_AS_IT_IS)


def _name_places(axes: Any, plot: Plot, places: list[str]) -> None:
    axes.set_xticks(range(len(places)), places, rotation=30, ha="right", fontsize="small", **_AS_IT_IS)
    axes.set_ylabel(plot.value.name, **_AS_IT_IS)


DRAW: dict[str, Callable[[Any, Plot, list[Row]], None]] = {
    "bars": _bars,
    "log_times": _log_times,
    "solved_against_time": _solved_against_time,
    "scatter": _scatter,
    "sorted_sums": _sorted_sums,
}
