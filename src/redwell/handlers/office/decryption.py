"""Opens password-protected Office files with the passwords at hand. Called by the document handlers in a child."""

import io
from typing import BinaryIO

from redwell.core.errors import PasswordProtected
from redwell.core.handler import tell_opened

# Excel and PowerPoint encrypt "read-only" files with these and open them without asking
_BUILT_IN = ("VelvetSweatshop", "/01Hannes Ruescher/01")


def decrypted(file: BinaryIO, passwords: tuple[str, ...]) -> BinaryIO:
    """The file in the clear; raises `PasswordProtected` where no password fits or the scheme is unknown."""
    import msoffcrypto  # type: ignore[import-untyped]
    from msoffcrypto.exceptions import InvalidKeyError  # type: ignore[import-untyped]

    reason = "none of the passwords fits" if passwords else "a password is needed"
    for password in (*passwords, *_BUILT_IN):
        out = io.BytesIO()
        try:
            office_file = msoffcrypto.OfficeFile(file)
            # its own check of OOXML passwords refuses the right one of Office 2010's files, whose hashes are padded;
            # that a package comes out proves the password as well
            office_file.load_key(password=password)
            office_file.decrypt(out)
        except InvalidKeyError:
            continue
        except Exception as error:  # the library lets through whatever a damaged or unknown scheme provokes
            reason = f"the encryption cannot be undone: {type(error).__name__}"
            continue
        out.seek(0)
        if password in passwords:
            tell_opened(passwords)
        return out
    raise PasswordProtected(reason)
