"""Where the files of a document lie in a volume: by its numbers, and at most so many in a folder."""

from collections.abc import Sequence

from redwell.core.case.native_bytes import native_name
from redwell.core.case.rows import Exhibit
from redwell.core.production.safe_names import safe_part
from redwell.core.production.values import Member, Terms, page_numbers
from redwell.core.production.volume_options import VolumeOptions

_ENDINGS = {"image/tiff": "tif", "image/jpeg": "jpg", "application/pdf": "pdf"}


class VolumePaths:
    """The folder of a file follows from its place in the set, so that it is the same whoever writes it, and when."""

    def __init__(self, terms: Terms, members: Sequence[Member], options: VolumeOptions) -> None:
        self._terms, self._options = terms, options
        self.data, self._images, self._natives, self._texts = options.layout.folders
        self._before: dict[int, int] = {}  # files of images before those of a document
        count = 0
        for member in members:
            self._before[member.ordinal] = count
            count += 1 if options.images == "pdf" else member.pages

    def page(self, member: Member, page: int, media_type: str) -> str:
        at = self._before[member.ordinal] + (0 if self._options.images == "pdf" else page - 1)
        name = page_numbers(self._terms, member)[page - 1]
        return f"{self._images}/{self._folder(at)}/{name}.{_ENDINGS[media_type]}"

    def text(self, member: Member) -> str:
        return f"{self._texts}/{self._folder(member.ordinal - 1)}/{self._number(member)}.txt"

    def native(self, member: Member, exhibit: Exhibit) -> str:
        stem, _, ending = safe_part(native_name(exhibit)).rpartition(".")
        name = f"{self._number(member)}.{ending}" if stem else self._number(member)
        return f"{self._natives}/{self._folder(member.ordinal - 1)}/{name}"

    def _folder(self, at: int) -> str:
        return f"{at // self._options.layout.files_per_folder + 1:03d}"

    def _number(self, member: Member) -> str:
        return str(self._terms.number(member.first))
