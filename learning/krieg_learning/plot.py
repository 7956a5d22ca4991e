"""One HTML page of the curves of all legs: `python -m krieg_learning.plot PAGE LEG.jsonl...`.

The page holds its drawings as SVG and needs nothing else.
"""

import argparse
import html
import json
import sys
from collections.abc import Callable
from pathlib import Path

WIDTH, HEIGHT = 640, 260
LEFT, RIGHT, TOP, BOTTOM = 56, 150, 28, 34
COLOURS = ("#1f5fa8", "#b3421f", "#2f7d4f", "#7a4aa0", "#8a6d1c", "#2f7f86", "#a03a6b", "#555555",
           "#94a034")  # fmt: skip

Points = list[tuple[float, float]]
Curves = dict[str, Points]


def read_lines(paths: list[Path]) -> list[dict]:
    """All lines of all logs, in the order of the files. The last line may be cut off."""
    lines = []
    for path in paths:
        for text in path.read_text().splitlines():
            try:
                lines.append(json.loads(text))
            except ValueError:
                continue
    return lines


def curve(lines: list[dict], value: Callable[[dict], float | None]) -> Points:
    """The values that exist, over millions of tries."""
    pairs = ((line["tries"] / 1e6, value(line)) for line in lines)
    return [(x, y) for x, y in pairs if y is not None]


def share(line: dict, group: str) -> float | None:
    """The score in percent against one group in training."""
    row = line.get("results", {}).get(group)
    return 100 * (row[0] + row[1] / 2) / sum(row) if row and sum(row) else None


def nested(line: dict, *names: str) -> float | None:
    """A number inside a line, if it is there."""
    value: object = line
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, (int, float)) else None


def charts(lines: list[dict]) -> list[tuple[str, Curves]]:
    """Titles and curves of all drawings."""
    progress = [line for line in lines if line.get("type") == "progress"]
    evaluations = [line for line in lines if line.get("type") == "evaluation"]

    def of(names: list[str]) -> Curves:
        return {name: curve(progress, lambda line, n=name: nested(line, n)) for name in names}

    def keys(source: list[dict], field: str) -> list[str]:
        return list(dict.fromkeys(key for line in source for key in line.get(field, {})))

    scores = {
        name: curve(evaluations, lambda line, n=name: nested(line, "scripted", n, "score"))
        for name in keys(evaluations, "scripted")
    }
    earlier = curve(evaluations, lambda line: nested(line, "earlier", "score"))
    opponents = {
        name: curve(progress, lambda line, n=name: share(line, n))
        for name in keys(progress, "results")
    }
    belief = {
        name: curve(progress, lambda line, n=name: nested(line, "belief by opponent", n))
        for name in keys(progress, "belief by opponent")
    }
    rulesets = {
        name: curve(progress, lambda line, n=name: nested(line, "belief by ruleset", n))
        for name in keys(progress, "belief by ruleset")
    }
    return [
        ("Score in evaluations, percent", scores | {"start of the leg": earlier}),
        ("Score in training by opponent, percent (self-play: White)", opponents),
        ("Belief by opponent, nats a position", belief),
        ("Belief by ruleset, nats a position", rulesets),
        ("Value loss", of(["value"])),
        ("Explained variance", of(["explained variance"])),
        ("Entropy of the policy, nats", of(["entropy"])),
        ("Divergence of the policy in an iteration, nats", of(["divergence"])),
        ("Plies a game", of(["plies"])),
        ("Tries a second", of(["tries/s"])),
    ]


def smooth(points: Points, most: int = 300) -> Points:
    """At most so many points: each is the mean of neighbours."""
    size = max(1, -(-len(points) // most))
    groups = [points[start : start + size] for start in range(0, len(points), size)]
    return [
        (sum(x for x, _ in group) / len(group), sum(y for _, y in group) / len(group))
        for group in groups
    ]


def drawing(title: str, curves: Curves) -> str:
    """One chart as SVG."""
    curves = {name: smooth(points) for name, points in curves.items() if points}
    xs = [x for points in curves.values() for x, _ in points]
    ys = [y for points in curves.values() for _, y in points]
    if not xs:
        return ""
    low_x, high_x = min(xs), max(max(xs), min(xs) + 1e-9)
    low_y, high_y = min(ys), max(max(ys), min(ys) + 1e-9)

    def place(x: float, y: float) -> tuple[float, float]:
        across = (x - low_x) / (high_x - low_x) * (WIDTH - LEFT - RIGHT)
        up = (y - low_y) / (high_y - low_y) * (HEIGHT - TOP - BOTTOM)
        return round(LEFT + across, 1), round(HEIGHT - BOTTOM - up, 1)

    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><title>{html.escape(title)}</title>']
    parts.append(f'<text x="{LEFT}" y="16" class="title">{html.escape(title)}</text>')
    for step in range(5):
        y = low_y + (high_y - low_y) * step / 4
        x = low_x + (high_x - low_x) * step / 4
        _, down = place(low_x, y)
        across, _ = place(x, low_y)
        right = WIDTH - RIGHT
        parts.append(f'<line x1="{LEFT}" y1="{down}" x2="{right}" y2="{down}" class="grid"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{down + 4}" class="left">{y:.4g}</text>')
        parts.append(f'<text x="{across}" y="{HEIGHT - 16}" class="below">{x:.4g}</text>')
    for index, (name, points) in enumerate(curves.items()):
        colour = COLOURS[index % len(COLOURS)]
        places = [place(x, y) for x, y in points]
        path = " ".join(f"{x},{y}" for x, y in places)
        parts.append(f'<polyline points="{path}" style="stroke:{colour}"/>')
        dots = places if len(places) < 30 else places[-1:]
        parts += [f'<circle cx="{x}" cy="{y}" r="2.5" fill="{colour}"/>' for x, y in dots]
        height = TOP + 10 + 16 * index
        label = f"{html.escape(name)} {points[-1][1]:.4g}"
        parts.append(f'<text x="{WIDTH - RIGHT + 8}" y="{height}" fill="{colour}">{label}</text>')
    return "".join(parts) + "</svg>"


STYLE = """
body { font: 15px sans-serif; margin: 2em auto; max-width: 1340px; padding: 0 1em; }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(480px, 1fr)); gap: 1em; }
svg { border: 1px solid #ddd; width: 100%; } svg text { font-size: 11px; }
.title { font-weight: bold; } .left { text-anchor: end; } .below { text-anchor: middle; }
.grid { stroke: #e4e4e4; } polyline { fill: none; stroke-width: 1.5; }
"""


def page(lines: list[dict]) -> str:
    """The whole page."""
    drawings = [drawing(title, curves) for title, curves in charts(lines)]
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Training</title>'
        f"<style>{STYLE}</style><h1>Training</h1>"
        "<p>Everything is drawn over millions of tries. The number beside a name is the last "
        f"value.</p><main>{''.join(drawings)}</main></html>\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("page", type=Path, help="the HTML file to write")
    parser.add_argument("logs", type=Path, nargs="+", help="leg.jsonl of each leg, in order")
    arguments = parser.parse_args()
    missing = [str(path) for path in arguments.logs if not path.is_file()]
    if missing:
        sys.exit(f"plot: there is no file {missing[0]}: name the leg.jsonl of a leg")
    arguments.page.write_text(page(read_lines(arguments.logs)))


if __name__ == "__main__":
    main()
