"""`judge templates`: the words of mails, pages and reports, to be edited and put in front."""

from __future__ import annotations

from pathlib import Path

import click

from judge.cli.exits import UNAVAILABLE, fail


@click.group()
def templates() -> None:
    """Take the words of mails, pages and reports out, to edit them.

    The setting `templates` puts a folder of them in front of ours.
    """


@templates.command()
@click.argument("folder", type=click.Path(path_type=Path), default="templates")
@click.option("--only", default="", metavar="PREFIX", help="Those whose names begin so: zine/.")
def export(folder: Path, only: str) -> None:
    """Write the templates into FOLDER; what is there already stays as it is.

    Keep only those that you change: the others are better read from the judge, which may be newer.
    """
    from judge.reports.operator_templates import template_names
    from judge.resources import folder as own

    ours = own("templates")
    chosen = [name for name in template_names(ours) if name.startswith(only)]
    if not chosen:
        fail(f"no template has a name that begins with {only!r}", UNAVAILABLE)
    kept = [name for name in chosen if (folder / name).exists()]
    try:
        for name in chosen:
            if name not in kept:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes((ours / name).read_bytes())
    except OSError as error:
        fail(f"{folder} cannot be written to: {error.strerror}", UNAVAILABLE)
    for name in kept:
        click.echo(f"kept     {folder / name}", err=True)
    click.echo(f"{len(chosen) - len(kept)} templates are in {folder}")
