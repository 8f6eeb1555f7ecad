"""What `redwell source add` is told of a place: the name and the settings of its row. No secret is among them."""

import argparse
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from redwell.core.errors import UserError
from redwell.core.local_hosts import LOCAL_HOSTS, require_safe
from redwell.ports.remote_source import SCHEME

Described = tuple[str, dict[str, Any]]
_MAILBOX = re.compile(r"(?P<user>[^\s]+)@(?P<host>[^@\s/:]+)(?::(?P<port>\d+))?(?:/(?P<folder>.+))?")
_GMAIL = re.compile(r"(?P<user>[^\s@/]+@[^@\s/:]+)(?:/(?P<label>.+))?")
_TOPIC, _SUBSCRIPTION = (re.compile(rf"projects/[^/\s]+/{kind}/[^/\s]+") for kind in ("topics", "subscriptions"))


def described(args: argparse.Namespace) -> Described:
    return _KINDS[args.kind](args)


def _folder(args: argparse.Namespace) -> Described:
    folder = Path(args.place).resolve()
    if not folder.is_dir():
        raise UserError(f"{folder} is no folder")
    return str(folder), {}


def _ses(args: argparse.Namespace) -> Described:
    if not args.place.startswith(SCHEME):
        raise UserError(f"mails of SES lie in a bucket: {SCHEME}BUCKET/PREFIX")
    return args.place.rstrip("/"), {}


def _webhook(args: argparse.Namespace) -> Described:
    if not args.secret_variable:
        raise UserError("--secret-variable names where the secret is that files are signed with")
    return args.place, {"secret_variable": args.secret_variable}


def _imap(args: argparse.Namespace) -> Described:
    found = _MAILBOX.fullmatch(args.place)
    if not found or not args.password_variable:
        raise UserError("a mailbox is USER@HOST[:PORT][/FOLDER], and --password-variable names where its password is")
    if args.plain and found["host"] not in LOCAL_HOSTS:
        raise UserError("without TLS only a server on this machine is asked")
    return args.place, {
        "user": found["user"],
        "host": found["host"],
        "port": int(found["port"] or (143 if args.plain else 993)),
        "folder": found["folder"] or "INBOX",
        "tls": not args.plain,
        "password_variable": args.password_variable,
    }


def _gmail(args: argparse.Namespace) -> Described:
    found = _GMAIL.fullmatch(args.place)
    if not found or not args.credentials_variable:
        raise UserError(
            "a mailbox of Gmail is USER@DOMAIN[/LABEL], and --credentials-variable names the environment variable with "
            "the path of its credentials"
        )
    for option, form, told in (
        ("topic", _TOPIC, "projects/PROJECT/topics/TOPIC"),
        ("subscription", _SUBSCRIPTION, "projects/PROJECT/subscriptions/SUBSCRIPTION"),
    ):
        if (given := getattr(args, option)) and not form.fullmatch(given):
            raise UserError(f"--{option} is {told}")
    return args.place, {
        "user": found["user"],
        "label": found["label"] or "INBOX",
        "credentials_variable": args.credentials_variable,
        "topic": args.topic,
        "subscription": args.subscription,
        "endpoint": require_safe(args.endpoint) if args.endpoint else "",
    }


_KINDS: Mapping[str, Callable[[argparse.Namespace], Described]] = {
    "folder": _folder,
    "gmail": _gmail,
    "imap": _imap,
    "ses": _ses,
    "webhook": _webhook,
}
