"""The local studio's server: it serves this machine's own page, with the token, and survives what it refuses."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from browsing import LONG

pytest.importorskip("uvicorn")
pytest.importorskip("starlette")
client = pytest.importorskip("websockets.sync.client")
from websockets.exceptions import ConnectionClosed, InvalidStatus  # noqa: E402

HARD = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1"
"""A board that breadth-first search does not solve in any time."""


def get(address, path=None, method="GET", **headers):
    """(status, headers, text) of a request; ``path`` goes out as it is."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=LONG)
    connection.putrequest(method, parts.path if path is None else path, skip_host="host" in headers)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    reply = connection.getresponse()
    return reply.status, reply.headers, reply.read().decode()


def origin(address):
    return "http://{0.hostname}:{0.port}".format(urlsplit(address))


def connect(address, path="session", **options):
    options = {"origin": origin(address), "open_timeout": LONG} | options
    return client.connect(address.replace("http", "ws") + path, max_size=None, **options)


def ask(page, **message):
    page.send(json.dumps({"v": 1, "id": 1, **message}))
    return take(page)


def take(page):
    while True:
        reply = json.loads(page.recv(timeout=LONG))
        if reply["last"]:
            return reply


def still_serves(address):
    with connect(address) as page:
        assert ask(page, do="hello")["is"] == "welcome"


# What is served


def test_the_address_is_on_this_machine_and_carries_a_token(studio):
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", studio)


def test_the_page_and_all_that_it_names_are_served(studio):
    status, headers, text = get(studio)
    assert status == 200 and headers["content-type"].startswith("text/html")
    assert "default-src 'self'" in headers["content-security-policy"]
    for name in [*re.findall(r'(?:src|href)="([\w./]+)"', text), "puzzles/sliding/page.js"]:
        assert get(studio, f"{urlsplit(studio).path}{name}")[0] == 200, name


def test_a_session_answers_over_the_socket(studio):
    with connect(studio) as page:
        answer = ask(page, do="solve", puzzle="sliding", board="1 2 3 4 5 6 0 7 8", engine="python")
        assert answer["outcome"] == "solved in 2 moves, proved optimal"
        assert ask(page, do="open", name="eight.txt")["text"].startswith("8 1 3")


def test_a_page_may_ask_again_as_soon_as_it_has_its_answer(studio):
    with connect(studio) as page:
        for _ in range(100):
            assert ask(page, do="files")["is"] == "files"


# What is refused


def test_nothing_is_served_without_the_token(studio):
    root = origin(studio)
    for path in ("/", "/index.html", "/solve.js", "/x" * 20 + "/", f"/{'A' * 32}/", "/session"):
        status, _, text = get(root, path)
        assert status == 403 and urlsplit(studio).path.strip("/") not in text, path
    for path in ("/session", f"/{'A' * 32}/session"):
        with pytest.raises(InvalidStatus):
            connect(root, path)


def test_a_foreign_host_is_refused(studio):
    for host in ("evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "0.0.0.0:1", ""):
        assert get(studio, host=host)[0] in (400, 403), host


def test_a_foreign_origin_is_refused(studio):
    foreign = (
        "http://evil.example",
        "null",
        "https://127.0.0.1",
        "http://127.0.0.1:1",
        origin(studio) + ".evil.example",
    )
    for other in foreign:
        assert get(studio, origin=other)[0] == 403, other
        with pytest.raises(InvalidStatus):
            connect(studio, origin=other)
    with pytest.raises(InvalidStatus):
        connect(studio, origin=None)


def test_no_path_leads_out_of_the_page(studio):
    token = urlsplit(studio).path
    ways = ["../server.py", "..%2fserver.py", "%2e%2e/server.py", "puzzles/../../server.py", "puzzles/sliding/rules.py",
            "/etc/passwd", "..\\server.py", "door.html%00", "__init__.py"]  # fmt: skip
    for way in ways:
        status, _, text = get(studio, token + way)
        assert status in (400, 404) and "import" not in text and "root:" not in text, way
    assert get(origin(studio), "/../" + token.strip("/") + "/../../server.py")[0] in (400, 403, 404)


def test_only_reading_is_allowed(studio):
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        assert get(studio, method=method)[0] == 405


def test_a_message_of_ten_megabytes_closes_its_connection_and_no_other(studio):
    with connect(studio) as other:
        with connect(studio) as page, pytest.raises(ConnectionClosed):
            page.send(json.dumps({"v": 1, "id": 1, "do": "hello", "x": "y" * 10_000_000}))
            take(page)
            take(page)
        assert ask(other, do="hello")["is"] == "welcome"


def test_a_thousand_messages_a_second_close_their_connection_and_no_other(studio):
    with connect(studio) as other:
        with connect(studio) as page, pytest.raises(ConnectionClosed) as closed:
            for _ in range(3000):
                page.send('{"v": 1, "id": 1, "do": "stop", "of": 2}')
            while True:
                page.recv(timeout=LONG)
        assert closed.value.rcvd is None or closed.value.rcvd.code == 1008
        assert ask(other, do="hello")["is"] == "welcome"


@pytest.mark.parametrize("text", ["", "{", "3", "[]", '"hello"', "[" * 5000, '{"v": 2, "do": "hello"}', '{"do": {}}'])
def test_what_is_no_message_gets_a_sentence(studio, text):
    with connect(studio) as page:
        page.send(text)
        assert take(page)["is"] == "error"


def test_no_more_searches_at_once_than_a_page_needs(studio):
    with connect(studio) as page:
        asked = {"v": 1, "do": "solve", "puzzle": "sliding", "board": HARD, "with": "bfs", "engine": "python"}
        for number in range(8):
            page.send(json.dumps({**asked, "id": number, "limits": {"seconds": "30"}}))
        assert "under way" in take(page)["text"]


# Searches and pages


def test_a_search_that_is_stopped_hands_back_what_it_has(studio):
    with connect(studio) as page:
        asked = {"v": 1, "id": 7, "do": "solve", "puzzle": "sliding", "board": HARD, "with": "bfs", "engine": "python"}
        page.send(json.dumps({**asked, "limits": {}}))
        assert json.loads(page.recv(timeout=LONG))["is"] == "progress"
        page.send('{"v": 1, "id": 8, "do": "stop", "of": 7}')
        assert take(page)["record"]["stopped_by"] == "cancelled"


def test_a_search_does_not_keep_the_other_requests_of_its_page_waiting(studio):
    with connect(studio) as page:
        asked = {"v": 1, "id": 7, "do": "solve", "puzzle": "sliding", "board": HARD, "with": "bfs", "engine": "python"}
        page.send(json.dumps({**asked, "limits": {}}))
        page.send(json.dumps({"v": 1, "id": 9, "do": "board", "puzzle": "sliding", "board": "1 2 3 0"}))
        assert take(page)["id"] == 9


def test_a_search_ends_when_its_page_is_gone():
    """Seen from inside: the page's cancelled mark is set, and its thread ends."""
    import asyncio
    import threading

    from procura.studio.server import Page, Studio

    studio = Studio()
    inbox: asyncio.Queue = asyncio.Queue()

    class Connection:
        async def accept(self):
            pass

        async def receive_text(self):
            message = await inbox.get()
            if message is None:
                from starlette.websockets import WebSocketDisconnect

                raise WebSocketDisconnect(1006)
            return message

        async def send_text(self, text):
            arrived.set()

    arrived = threading.Event()

    async def visit():
        page = Page(studio, Connection())
        serving = asyncio.create_task(page.serve())
        asked = {"v": 1, "id": 7, "do": "solve", "puzzle": "sliding", "board": HARD, "with": "bfs", "engine": "python"}
        await inbox.put(json.dumps({**asked, "limits": {}}))
        while not arrived.is_set():
            await asyncio.sleep(0.01)
        await inbox.put(None)
        await serving

    asyncio.run(visit())
    studio.threads.shutdown(wait=True)  # returns only when the search has ended


# Code of a page

LOOP = """
from procura import Problem

class Loop(Problem):
    initial = 0

    def actions(self, state):
        print("seen")
        while True:
            pass
"""


def test_code_runs_in_a_child_that_stopping_kills_and_another_takes_its_place(studio):
    with connect(studio) as page:
        page.send(json.dumps({"v": 1, "id": 7, "do": "write", "code": LOOP}))
        assert ask(page, do="hello")["code"] is True  # the server itself goes on
        page.send(json.dumps({"v": 1, "id": 8, "do": "stop", "of": 7}))
        assert take(page) == {"v": 1, "id": 7, "is": "stopped", "last": True}
        code = LOOP.replace("        while True:\n            pass\n", "        return []\n    is_goal = bool\n")
        assert ask(page, do="write", code=code)["puzzle"]["name"] == "Loop"


@pytest.mark.slow
def test_an_endless_loop_is_ended_from_inside_and_its_line_named(studio):
    with connect(studio) as page:
        reply = ask(page, do="write", code=LOOP)
        line = LOOP.splitlines().index("        while True:") + 1
        assert reply["is"] == "error" and reply["line"] in (line, line + 1) and "endless loop" in reply["text"]
        catching = LOOP.replace("            pass", "            try: pass\n            except: pass")
        assert "endless loop" in ask(page, do="write", code=catching)["text"]


def test_what_a_child_wrote_is_gone_with_its_page(studio):
    code = "import procura\nclass A(procura.Problem): initial = __file__\nclass B: ...\n"
    with connect(studio) as page:
        reply = ask(page, do="board", puzzle="A", code=code)
        place = Path(reply["start"]["text"].strip("'"))
        assert place.exists()
    end = time.monotonic() + LONG
    while place.exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert not place.exists()


def test_code_that_ends_its_process_is_survived(studio):
    with connect(studio) as page:
        assert "ended" in ask(page, do="write", code="import os\nos._exit(3)\nclass A: pass\n")["text"]
        assert ask(page, do="write", code="x = 1")["is"] == "error"


def test_a_studio_without_leave_refuses_code(plain_studio):
    with connect(plain_studio) as page:
        assert ask(page, do="hello")["code"] is False
        assert "--allow-code" in ask(page, do="write", code=LOOP)["text"]


# The command


def test_a_port_that_is_taken_is_reported_in_a_sentence(studio):
    port = str(urlsplit(studio).port)
    command = [sys.executable, "-m", "procura", "studio", "--no-browser", "--port", port]
    made = subprocess.run(command, capture_output=True, text=True, timeout=LONG, check=False)
    assert made.returncode == 2 and f"--port {port}" in made.stderr and made.stdout == ""


def test_a_folder_that_is_not_there_is_reported_in_a_sentence(tmp_path):
    command = [sys.executable, "-m", "procura", "studio", "--no-browser", "--port", "0", str(tmp_path / "none")]
    made = subprocess.run(command, capture_output=True, text=True, timeout=LONG, check=False)
    assert made.returncode == 2 and "no such folder" in made.stderr


def test_what_the_studio_needs_is_named_if_it_is_missing():
    code = "import sys; sys.modules['uvicorn'] = None; from procura.cli import cli; cli(['studio', '--no-browser'])"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LONG, check=False)
    assert made.returncode == 2 and "procura[studio]" in made.stderr


def test_nothing_of_the_studio_is_imported_unless_asked():
    code = "import sys, procura, procura.cli; print([m for m in sys.modules if 'studio' in m or 'starlette' in m])"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LONG, check=True)
    assert made.stdout.strip() == "[]"


def test_it_still_serves_after_all_that(studio):
    still_serves(studio)
