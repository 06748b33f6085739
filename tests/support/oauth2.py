"""An OAuth2 provider: tokens that expire, and a command that fetches the current one.

    with token_provider(folder, USER) as provider:
        provider.command         # prints a token
        provider.expire()        # from now on only a new one is good

Servers ask it by HTTP whether a token is good.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

COMMAND = """\
#!/bin/sh
echo run >>{runs}
echo "a warning: the token is about to expire" >&2
cat {token}
echo expires_in=3600
exit $(cat {code})
"""


@dataclass
class TokenProvider:
    """One that runs, and knows one user."""

    folder: Path
    user: str
    port: int = 0
    token: str = field(default="", init=False)

    def __post_init__(self) -> None:
        files = {name: self.folder / f"token-{name}" for name in ("runs", "token", "code")}
        self._runs, self._token, self._code = files.values()
        self._script = self.folder / "get-token"
        self._script.write_text(COMMAND.format(**files))
        self._script.chmod(0o700)
        self._runs.touch()
        self.fail(0)
        self.expire()

    @property
    def command(self) -> str:
        """Return the command, with an argument that a shell would act on."""
        return f"{self._script} 'judge; exit 1'"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/?token="

    @property
    def runs(self) -> int:
        """Return how often the command ran."""
        return len(self._runs.read_text().splitlines())

    def expire(self) -> None:
        """Make all tokens so far worthless."""
        self.token = f"ya29.{secrets.token_urlsafe(40)}"
        self._token.write_text(f"{self.token}\n")

    def fail(self, code: int) -> None:
        """Make the command end with this exit code."""
        self._code.write_text(f"{code}\n")

    def user_of(self, login: str) -> str | None:
        """Return the user of an XOAUTH2 *login*, None if its token is not good."""
        found = re.fullmatch(r"user=(.*)\x01auth=Bearer (.*)\x01\x01", login)
        return found[1] if found and found[2] == self.token else None


@contextmanager
def token_provider(folder: Path, user: str) -> Iterator[TokenProvider]:
    """Run a provider that knows *user* until the block ends."""
    provider = TokenProvider(folder, user)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_good = self.path.endswith(f"={provider.token}")
            self.send_response(200 if is_good else 401)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps({"user": provider.user} if is_good else {}).encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        provider.port = server.server_address[1]
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield provider
        finally:
            server.shutdown()
            thread.join()
