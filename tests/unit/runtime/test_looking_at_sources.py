"""`--type manual` knows a volume by its load file, also one that lies in a folder of its own."""

from pathlib import Path

from tests.support.load_file_volume import sound_volume

from redwell.runtime.loadfiles.looking import volume_at


def test_a_volume_is_known_by_its_load_file_and_other_folders_are_not(tmp_path: Path) -> None:
    load_file = sound_volume(tmp_path / "sent" / "VOL001").write()
    assert [volume_at(str(place)) for place in (tmp_path / "sent", load_file.parents[1], load_file)] == [
        str(load_file)
    ] * 3
    (tmp_path / "sent" / "letter.txt").write_text("Dear Ann")
    assert volume_at(str(tmp_path / "sent")) == volume_at(str(tmp_path / "nowhere")) == ""
