"""Folders of this user's own: what others could have put there is not read, and what is theirs is not touched."""

import os
import re
import signal
import time

import pytest

from procura import folder as module
from procura.compiled.kernels import KERNELS
from procura.folder import Folder, Kind, cache_root

NOTES = Kind(names=r"[a-z]+\.note", magic=b"a note: ")

pytestmark = pytest.mark.skipif(not module.CHECKED, reason="this system cannot open names in a folder")


@pytest.fixture
def place(tmp_path):
    return tmp_path / "cache" / "notes"


@pytest.fixture
def folder(place):
    with Folder(place) as opened:
        yield opened


def names(place):
    return sorted(path.name for path in place.iterdir())


def test_what_is_written_is_read_and_only_this_user_can(folder, place):
    folder.write("one.note", b"a note: 1")
    assert folder.read("one.note") == b"a note: 1"
    assert [place.parent.stat().st_mode & 0o777, place.stat().st_mode & 0o777] == [0o700, 0o700]
    assert (place / "one.note").stat().st_mode & 0o777 == 0o600
    folder.write("one.note", b"a note: 2")
    assert (folder.read("one.note"), names(place)) == (b"a note: 2", ["one.note"])


def test_a_file_that_is_not_finished_does_not_appear(folder, place):
    with pytest.raises(KeyboardInterrupt), folder.writing("one.note") as file:
        file.write(b"a note: half")
        assert names(place) != ["one.note"]
        raise KeyboardInterrupt
    assert names(place) == []


def test_a_disk_that_is_full_leaves_nothing_half_written(folder, place):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
    try:
        for size in (12_000, 20_000, 300_000):
            with pytest.raises(OSError, match="too large"):
                folder.write("one.note", bytes(size))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert names(place) == []


def test_large_files_are_written_and_mapped_through_their_handles(folder):
    import mmap

    with folder.writing("large.note") as file:
        file.truncate(1 << 20)
        with mmap.mmap(file.fileno(), 0) as content:
            content[:8], content[-1:] = b"a note: ", b"!"
    with folder.open("large.note") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        assert (content[:8], content[-1:], len(content)) == (b"a note: ", b"!", 1 << 20)


@pytest.mark.parametrize("mode", [0o777, 0o702])
@pytest.mark.parametrize("which", ["folder", "parent", "parent of the parent"])
def test_a_folder_others_can_write_to_is_refused(tmp_path, place, mode, which):
    place.mkdir(parents=True, mode=0o700)
    open_to_all = {"folder": place, "parent": place.parent, "parent of the parent": tmp_path}[which]
    open_to_all.chmod(mode)
    with pytest.raises(PermissionError, match="others can write to it") as refused:
        Folder(place)
    assert refused.value.filename == str(open_to_all)


def test_a_sticky_folder_such_as_tmp_may_be_a_parent_but_not_the_folder_itself(tmp_path, place):
    place.mkdir(parents=True, mode=0o700)
    tmp_path.chmod(0o1777)
    Folder(place).close()
    place.chmod(0o1777)
    with pytest.raises(PermissionError, match="others can write to it"):
        Folder(place)


def test_a_group_may_write_if_it_is_this_user_s_own(place, monkeypatch):
    place.mkdir(parents=True, mode=0o700)
    place.parent.chmod(0o770)
    monkeypatch.setattr(module, "_own_group", lambda number: True)
    Folder(place).close()
    monkeypatch.setattr(module, "_own_group", lambda number: False)
    with pytest.raises(PermissionError, match="others can write to it"):
        Folder(place)


def test_a_folder_of_another_user_is_refused(place, monkeypatch):
    Folder(place).close()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 12345)
    with pytest.raises(PermissionError, match="it belongs to another user"):
        Folder(place)


def test_a_folder_that_is_a_link_is_refused(tmp_path, place):
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    place.parent.mkdir()
    place.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match=re.escape(str(place))):
        Folder(place)


def test_links_on_the_way_lead_through_checked_folders(tmp_path, place):
    real = tmp_path / "real"
    real.mkdir(mode=0o700)
    place.parent.symlink_to(os.path.join("..", tmp_path.name, "real"))
    with Folder(place) as folder:
        folder.write("one.note", b"a note: 1")
    assert names(real / "notes") == ["one.note"]
    real.chmod(0o777)
    with pytest.raises(PermissionError, match="others can write to it"):
        Folder(place)


def test_links_in_a_circle_are_refused(tmp_path, place):
    place.parent.symlink_to(tmp_path / "other")
    (tmp_path / "other").symlink_to(place.parent)
    with pytest.raises(OSError, match=r"cache|other"):
        Folder(place)


def test_somebody_else_s_link_is_refused(tmp_path, place, monkeypatch):
    """In a sticky folder anybody can lay a link, even one that leads to a folder of this user's own."""
    (tmp_path / "real").mkdir(mode=0o700)
    place.parent.symlink_to(tmp_path / "real")
    plain = os.stat

    def stat(path, **keywords):
        info = list(plain(path, **keywords))
        info[4] += 12345  # the owner
        return os.stat_result(info)

    monkeypatch.setattr(os, "stat", stat)
    with pytest.raises(PermissionError, match="somebody else's link"):
        Folder(place)


def test_the_folder_stays_what_it_was_when_its_path_leads_elsewhere(tmp_path, folder, place):
    folder.write("one.note", b"a note: 1")
    place.rename(tmp_path / "moved")
    place.mkdir(mode=0o777)
    (place / "one.note").write_bytes(b"a note: forged")
    assert folder.read("one.note") == b"a note: 1"
    folder.write("two.note", b"a note: 2")
    assert (names(place), names(tmp_path / "moved")) == (["one.note"], ["one.note", "two.note"])


def spoil_by_mode(path):
    path.chmod(0o666)


def spoil_by_link(path):
    path.rename(path.parent.parent / "real")
    path.symlink_to(path.parent.parent / "real")


def spoil_by_pipe(path):
    path.unlink()
    os.mkfifo(path, 0o600)


def spoil_by_folder(path):
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("spoil", [spoil_by_mode, spoil_by_link, spoil_by_pipe, spoil_by_folder])
def test_a_file_that_others_could_have_written_is_not_read_or_deleted(folder, place, spoil):
    folder.write("one.note", b"a note: 1")
    spoil(place / "one.note")
    with pytest.raises(OSError):
        folder.read("one.note")
    assert (folder.files(NOTES), folder.clear(NOTES), folder.trim(NOTES, 0)) == ([], [], [])
    assert names(place) == ["one.note"]


def test_a_file_of_another_user_is_not_read(folder, monkeypatch):
    folder.write("one.note", b"a note: 1")
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 12345)
    with pytest.raises(PermissionError, match="it belongs to another user"):
        folder.read("one.note")


@pytest.mark.parametrize("name", ["../one.note", "a/one.note", "", "."])
def test_a_name_is_a_name_and_not_a_path(folder, name):
    with pytest.raises(ValueError, match="expected the name of a file"):
        folder.read(name)


def aged(place, name, age, content):
    (place / name).write_bytes(content)
    (place / name).chmod(0o600)
    os.utime(place / name, (time.time() - age,) * 2)


PART = ".0123456789abcdef.part"


def test_only_files_that_are_ours_by_name_and_content_are_deleted(folder, place):
    theirs = {
        "thesis.txt": b"a note: of mine",
        "other.note": b"A NOTE: in capitals",
        "empty.note": b"",
        "One.note": b"a note: under no name of ours",
        "thesis.txt" + PART: b"a note: ",
        "other.note" + PART: b"A NOTE",
        "half.part": b"",
    }
    ours = {
        "one.note": b"a note: 1",
        "two.note" + PART: b"a note: 2",
        "three.note" + PART: b"a no",
        "four.note" + PART: b"",
    }
    for name, content in {**theirs, **ours}.items():
        aged(place, name, 10_000, content)
    assert {file.name for file in folder.files(NOTES)} == set(ours)
    assert folder.clear(KERNELS) == []
    assert {file.name for file in folder.trim(NOTES, 0)} == set(ours)
    assert names(place) == sorted(theirs)
    for name, content in ours.items():
        aged(place, name, 10_000, content)
    assert {file.name for file in folder.clear(NOTES)} == set(ours)
    assert names(place) == sorted(theirs)


def test_what_was_unused_longest_makes_room(folder, place):
    for age, name in enumerate(("new", "newer", "old", "older")):
        aged(place, f"{name}.note", 100 * age, b"a note: ".ljust(100))
    assert [file.name for file in folder.trim(NOTES, 250)] == ["older.note", "old.note"]
    assert names(place) == ["new.note", "newer.note"]


def test_reading_is_using(folder, place):
    for age, name in enumerate(("new", "old")):
        aged(place, f"{name}.note", 100 + 100 * age, b"a note: ")
    folder.read("old.note")
    assert [file.name for file in folder.trim(NOTES, 8)] == ["new.note"]


def test_what_is_half_written_goes_once_nobody_can_be_at_it(folder, place):
    aged(place, "one.note" + PART, 0, b"a note: ")
    aged(place, "two.note" + PART, 2 * module.ABANDONED_SECONDS, b"a note: ")
    assert [file.name for file in folder.trim(NOTES, 1000)] == ["two.note" + PART]


def test_without_open_folders_it_is_used_by_its_path(place, monkeypatch):
    """As on Windows."""
    monkeypatch.setattr(module, "CHECKED", False)
    with Folder(place) as folder:
        folder.write("one.note", b"a note: 1")
        assert folder.read("one.note") == b"a note: 1"
        assert [file.name for file in folder.clear(NOTES)] == ["one.note"]
        with pytest.raises(FileNotFoundError):
            folder.read("one.note")


def test_the_cache_can_be_elsewhere_or_off(monkeypatch, tmp_path):
    monkeypatch.setenv("PROCURA_CACHE", str(tmp_path))
    assert cache_root() == tmp_path
    monkeypatch.setenv("PROCURA_CACHE", "off")
    with pytest.raises(OSError, match="PROCURA_CACHE is off"):
        cache_root()
    monkeypatch.delenv("PROCURA_CACHE")
    assert cache_root().name == "procura"
