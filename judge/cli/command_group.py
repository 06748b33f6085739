"""Groups of commands: suggestions for a mistyped name, and the examples of each command."""

from __future__ import annotations

import click

from judge.cli.command_index import EXAMPLES


class CommandGroup(click.Group):
    """A group that suggests commands for an unknown one, and gives each its examples."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name with its examples, None if there is none."""
        found = self.find_command(ctx, cmd_name)
        examples = EXAMPLES.get(" ".join([*ctx.command_path.split()[1:], cmd_name]))
        if found and examples:
            title = "Example" if len(examples) == 1 else "Examples"
            found.epilog = "\n".join((f"\b\n{title}:", *(f"  {each}" for each in examples)))
        return found

    def find_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, None if there is none."""
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that *args* begin with; fail with those that may have been meant."""
        name = args[0]
        if name.startswith("-") or ctx.resilient_parsing or self.get_command(ctx, name):
            return super().resolve_command(ctx, args)
        from difflib import get_close_matches

        close = get_close_matches(name, self.list_commands(ctx))
        elsewhere = [each for each in EXAMPLES if each.endswith(f" {name}")]
        meant = " or ".join(close or elsewhere)
        hint = f" Did you mean {meant}?" if meant else ""
        raise click.UsageError(f"No such command {name!r}.{hint}", ctx)
