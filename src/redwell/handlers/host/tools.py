"""Which programs and libraries of the system the handlers of a profile use, and which there are. In the child."""

from redwell.core.wire import Tool
from redwell.core.work.kinds import Profile


def tools_of(profile: Profile) -> list[Tool]:
    """Asked once, for the hello. Engines are imported where they are used."""
    match profile:
        case Profile.PARSER:
            from redwell.handlers.unpacking.system_libraries import system_libraries

            return system_libraries()
        case Profile.OFFICE:
            from redwell.handlers.engines import libreoffice

            return [libreoffice.tool()]
        case Profile.BROWSER:
            from redwell.handlers.engines import chromium

            return [chromium.tool()]
        case Profile.OCR:
            from redwell.handlers.engines import rapid, tesseract

            return [tesseract.tool(), rapid.tool()]
        case Profile.MODEL:
            from redwell.handlers.engines import llama

            return [llama.tool()]
        case Profile.NONE:
            return []
