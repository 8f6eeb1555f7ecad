"""Who asks, and for which case: what every route of the API and the pages is given. The policy is review.access."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Path, Request
from starlette.concurrency import run_in_threadpool

from redwell.core.access.rights import Principal, Right
from redwell.core.errors import Forbidden
from redwell.entrypoints.http.problems import SignIn
from redwell.entrypoints.http.sessions import Sessions
from redwell.review.access import require
from redwell.runtime.serving.served_home import ServedCase, ServedHome

SAFE = {"GET", "HEAD", "OPTIONS"}
CSRF_HEADER = "X-CSRF-Token"
FORM = "application/x-www-form-urlencoded"
LARGEST_ID = 2**53
Number = Annotated[int, Path(ge=1, le=LARGEST_ID)]


def served(request: Request) -> ServedHome:
    home: ServedHome = request.app.state.home
    return home


def sessions(request: Request) -> Sessions:
    kept: Sessions = request.app.state.sessions
    return kept


def whoever(request: Request) -> Principal | None:
    """Nobody where no token or session is good."""
    found = _recent(request) or _looked_up(request)
    return served(request).principals.put(_shown(request), found) if found else None


def _shown(request: Request) -> tuple[str, str]:
    """What somebody shows to say who they are."""
    return request.headers.get("Authorization", ""), sessions(request).secret(request) or ""


def _recent(request: Request) -> Principal | None:
    return served(request).principals.get(_shown(request))


def _looked_up(request: Request) -> Principal | None:
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        found = served(request).credentials.token(secret.strip())
        if found is None:
            return None
        owner, token = found
        return Principal(account=owner.id, name=owner.name, is_admin=owner.is_admin, scope=token.scope, by_token=True)
    secret = sessions(request).secret(request) or ""
    account = served(request).credentials.session(secret) if secret else None
    return Principal(account=account.id, name=account.name, is_admin=account.is_admin) if account else None


async def who(request: Request) -> Principal:
    """A change that a session asks for has to bring the word that only our own pages know."""
    found = _recent(request) or await run_in_threadpool(whoever, request)
    if found is None:
        raise SignIn("sign in, or send a token: Authorization: Bearer …")
    if not found.by_token and request.method not in SAFE:
        check_ours(request, await _word(request))
    return found


async def _word(request: Request) -> str:
    """In a header where a script asks, in a field of the form where a page does."""
    if not request.headers.get("Content-Type", "").startswith(FORM):
        return request.headers.get(CSRF_HEADER, "")
    return str((await request.form()).get("csrf", ""))


def check_ours(request: Request, word: str) -> None:
    if not sessions(request).is_ours(sessions(request).secret(request) or "", word):
        raise Forbidden("this change did not come from a page of this server: load the page again")


@dataclass(frozen=True, slots=True)
class Visit:
    """Somebody in a case, with the right that the route needs."""

    home: ServedHome
    case: ServedCase
    who: Principal

    def may(self, right: Right) -> bool:
        return right in self.home.rights_of(self.who, self.case.number)


Who = Annotated[Principal, Depends(who)]
Home = Annotated[ServedHome, Depends(served)]


def _visit(right: Right) -> Callable[[Request, int, Principal], Visit]:
    def visit(request: Request, case: Number, who: Who) -> Visit:
        home = served(request)
        require(home.rights_of(who, case), right)
        return Visit(home, home.case(case), who)

    return visit


Reading = Annotated[Visit, Depends(_visit(Right.READ))]
Deciding = Annotated[Visit, Depends(_visit(Right.CODE))]
Exporting = Annotated[Visit, Depends(_visit(Right.EXPORT))]
Importing = Annotated[Visit, Depends(_visit(Right.IMPORT))]
Managing = Annotated[Visit, Depends(_visit(Right.MANAGE))]
