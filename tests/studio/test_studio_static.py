"""The static studio as it is put together: all parts there, what npm fetched compared, what is missing said."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from procura import catalog
from procura.configuration import Configuration
from procura.puzzles.dots.brackets import BOARD, PROBLEM
from procura.studio.session import Session

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tools" / "site"))

import studio  # noqa: E402


@pytest.fixture
def fetched(monkeypatch, tmp_path):
    """A build that has something in place of Pyodide."""
    monkeypatch.setattr(studio, "fetch", lambda: tmp_path)
    monkeypatch.setattr(studio, "unpack", lambda package, folder: folder.mkdir() or 1000)
    assert studio.build(tmp_path / "studio") is None
    return tmp_path / "studio"


def test_it_has_the_page_the_puzzles_the_welcome_and_the_source(fetched):
    assert 'data-carrier="worker"' in (fetched / "index.html").read_text()
    welcome = json.loads((fetched / "welcome.json").read_text())
    assert welcome["engines"] == ["python"] and "nodes" in welcome["limits"]
    for puzzle in welcome["puzzles"]:
        assert (fetched / puzzle["page"]).is_file()
    names = zipfile.ZipFile(fetched / "procura.zip").namelist()
    assert "procura/studio/session.py" in names and not any("server" in name for name in names)
    assert json.loads((fetched / "sizes.json").read_text())["bytes"] > 1000


def test_every_module_that_a_page_imports_is_there(fetched):
    for path in fetched.rglob("*.js"):
        for name in re.findall(r'(?:from|import\() ?"(\.[^"]+)"', path.read_text()):
            assert (path.parent / name).is_file() or "pyodide" in name, f"{path.name} imports {name}"


def test_its_source_runs_without_any_other_package(fetched):
    code = f"""
import sys
sys.path.insert(0, {str(fetched / "procura.zip")!r})
from procura.studio.session import Session
session, replies = Session(engines=("python",), code=True), []
session.handle({{"v": 1, "id": 1, "do": "hello"}}, replies.append)
for puzzle in replies[0]["puzzles"]:
    board = {{"puzzle": puzzle["name"], "board": puzzle["first"]["board"], "options": puzzle["first"]["options"]}}
    session.handle({{"v": 1, "id": 2, "do": "solve", "limits": {{"nodes": 500}}, **board}}, replies.append)
    session.handle({{"v": 1, "id": 3, "do": "watch", "end": 5, **board}}, replies.append)
    session.handle({{"v": 1, "id": 4, "do": "play", "act": "start", **board}}, replies.append)
print({{reply["is"] for reply in replies if reply["last"]}})
"""
    run = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert "error" not in run.stdout and "answer" in run.stdout


def test_without_npm_a_page_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(studio.shutil, "which", lambda name: None)
    monkeypatch.setattr(studio.sys, "prefix", str(tmp_path / "nowhere"))
    assert "npm" in studio.build(tmp_path / "studio")
    assert "npm" in (tmp_path / "studio" / "index.html").read_text()


def pack(text):
    """An npm that packs this text."""

    def run(command, **options):
        folder = Path(command[command.index("--pack-destination") + 1])
        (folder / f"pyodide-{studio.VERSION}.tgz").write_text(text)
        return subprocess.CompletedProcess(command, 0)

    return run


def test_another_pyodide_than_expected_is_refused_and_not_kept(monkeypatch, tmp_path):
    monkeypatch.setattr(studio.sys, "prefix", str(tmp_path))
    monkeypatch.setattr(studio.shutil, "which", lambda name: name)
    monkeypatch.setattr(studio.subprocess, "run", pack("something else"))
    with pytest.raises(studio.Missing, match="hash"):
        studio.fetch()
    assert list(tmp_path.iterdir()) == []


def test_a_pyodide_that_is_not_whole_is_fetched_again_and_replaced_at_once(monkeypatch, tmp_path):
    kept = tmp_path / f"pyodide-{studio.VERSION}.tgz"
    kept.write_bytes(b"half of ")
    monkeypatch.setattr(studio.sys, "prefix", str(tmp_path))
    monkeypatch.setattr(studio.shutil, "which", lambda name: name)
    monkeypatch.setattr(studio.subprocess, "run", pack("the whole"))
    whole = base64.b64encode(hashlib.sha512(b"the whole").digest()).decode()
    monkeypatch.setattr(studio, "INTEGRITY", whole)
    assert studio.fetch() == kept and kept.read_text() == "the whole"
    assert list(tmp_path.iterdir()) == [kept]


@pytest.mark.parametrize("name", catalog.PUZZLES)
def test_a_page_asks_for_facts_that_its_puzzle_tells(name):
    entry = catalog.PUZZLES[name]
    used = set(re.findall(r"\bfacts\.(\w+)", entry.page.read_text(encoding="utf-8")))
    assert used == set(entry.load()(**entry.samples()[entry.first]).page_facts())


def phrases(path):
    """The names of the phrases of a file, language by language."""
    text = path.read_text(encoding="utf-8")
    parts = re.findall(r"^  (en|pt): \{\n(.*?)^  \},$", text, re.MULTILINE | re.DOTALL)
    return {language: re.findall(r"^    (\w+): ", part, re.MULTILINE) for language, part in parts}


@pytest.mark.parametrize(
    "path",
    [studio.PAGE / "phrases.js", *(entry.page for entry in catalog.PUZZLES.values())],
    ids=lambda path: path.parent.name,
)
def test_both_languages_say_the_same_things(path):
    told = phrases(path)
    assert told["en"] == told["pt"] and len(set(told["en"])) == len(told["en"]) > 5


def test_no_phrase_is_missing_and_none_is_idle():
    known = set(phrases(studio.PAGE / "phrases.js")["en"])
    text = "\n".join(
        path.read_text(encoding="utf-8") for path in [*studio.PAGE.glob("*.js"), *studio.PAGE.glob("*.html")]
    )
    text = text.replace((studio.PAGE / "phrases.js").read_text(encoding="utf-8"), "")
    text += "\n".join(entry.page.read_text(encoding="utf-8") for entry in catalog.PUZZLES.values())
    used = set(re.findall(r'\bt\(\s*"(\w+)"', text))
    own = {name for entry in catalog.PUZZLES.values() for name in phrases(entry.page)["en"]}
    assert used - known - own == set()
    idle = {name for name in known if not re.search(rf'["`\']{name}["`\']', text)}
    by_parts = re.compile(
        r"s_|by_|engine_|against_|duel_|step|seconds|nodes|memory|depth|solve|play$|light|dark|skip|language|english"
        r"|watch$|learn$|compare$|write$|c_|p_|row_|w_|why_|fate_|move_|curve_"
    )
    assert {name for name in idle if not by_parts.match(name)} == set()
    assert {f"p_{info.progress}" for info in catalog.ALGORITHMS.values()} <= known


def fragments():
    """Where links of the documentation and steps of the tours lead in the studio."""
    for page in (ROOT / "docs").glob("*.md"):
        yield from re.findall(r"^<!-- studio (#\S+): .+ -->$", page.read_text(encoding="utf-8"), re.MULTILINE)
    for entry in catalog.PUZZLES.values():
        text = entry.page.with_name("tours.js").read_text(encoding="utf-8")
        yield from re.findall(r'^      "(#.+)",$', text, re.MULTILINE)


@pytest.mark.parametrize("fragment", sorted(set(fragments())))
def test_links_into_the_studio_name_what_there_is(fragment):
    activity, _, rest = fragment.removeprefix("#/").partition("/")
    assert activity in ("solve", "play", "watch", "compare", "write", "learn")
    name, _, query = rest.partition("?")
    fields = dict(parse_qsl(query))
    if not name:
        return
    entry = catalog.PUZZLES[name]
    assert fields.get("sample", entry.first) in entry.samples()
    problem = entry.load()(**entry.samples()[fields.get("sample", entry.first)])
    for asked in [*fields.get("with", "auto").split(";"), fields.get("beside", "auto")]:
        Configuration.parse(asked.strip()).resolve(problem)


def test_every_report_has_a_tour_in_both_languages_with_three_questions():
    tours = 0
    for entry in catalog.PUZZLES.values():
        text = entry.page.with_name("tours.js").read_text(encoding="utf-8")
        for tour in text.split("    id: ")[1:]:
            at, english, portuguese = re.split(r"^    (?:en|pt): ", tour, flags=re.MULTILINE)
            for told in (english, portuguese):
                steps = told[told.index("steps:") : told.index("questions:")]
                assert len(re.findall(r'^        "', steps, re.MULTILINE)) == len(
                    re.findall(r'^      "#', at, re.MULTILINE)
                )
                assert len(re.findall(r"^        \[", told, re.MULTILINE)) == 3
            tours += 1
    assert tours == 5


def sentences(path, name):
    """The English of the sentences that a file has Portuguese for."""
    found = re.search(
        rf"export const {name} = {{\n(.*?)^}};", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    keys = re.findall(r"""^  (?:"(.+?)"|'(.+?)'|(\w+)): \"""", found[1], re.MULTILINE)
    return ["".join(key) for key in keys]


@cache
def welcome():
    replies = []
    Session().handle({"v": 1, "id": 1, "do": "hello"}, replies.append)
    return replies[0]


def described(part):
    """All that a part of the welcome says of puzzles, searches and options; a composed heuristic is its expression."""
    if isinstance(part, dict):
        own = [part[name] for name in ("about", "guarantees", "hint") if part.get(name) and not part.get("composed")]
        return [*own, *described(list(part.values()))]
    return [text for one in part for text in described(one)] if isinstance(part, list | tuple) else []


def test_all_that_the_welcome_describes_is_described_in_portuguese():
    known = set(sentences(studio.PAGE / "sentences.js", "SENTENCES"))
    assert set(described([welcome()["algorithms"], welcome()["game_algorithms"]])) <= known
    for puzzle in welcome()["puzzles"]:
        own = sentences(catalog.PUZZLES[puzzle["name"]].page, "sentences")
        assert set(described(puzzle)) <= known.union(own), puzzle["name"]


def test_what_is_said_in_portuguese_is_said_in_english_by_the_source():
    source = "\n".join(path.read_text(encoding="utf-8") for path in studio.SOURCE.rglob("*.py"))
    source = re.sub(r'"\s*\n\s*f?"', "", source)  # a text in several parts
    source = source.replace("{BOARD}", BOARD).replace("{PROBLEM}", PROBLEM) + "\n".join(
        described(list(welcome().values()))
    )
    files = [(entry.page, "sentences") for entry in catalog.PUZZLES.values()]
    filled = r"\d+|\{\w\}|\b(?:row|column|block|up|down|left|right)\b"
    for path, name in [(studio.PAGE / "sentences.js", "SENTENCES"), *files]:
        for sentence in sentences(path, name):
            for part in re.split(filled, sentence):
                said = part.strip(" :,;()")
                assert len(said) < 10 or said in source, f"{path.parent.name}: {sentence}"
