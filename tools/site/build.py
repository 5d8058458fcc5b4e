"""Builds the documentation site: ``python tools/site/build.py [FOLDER]``, by default into site/.

The pages are put together in a temporary folder, with links as ``links`` leads them, and Zensical makes HTML of them
there. It ends with an error at the first warning.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import studio
from links import COPIED, PAGES, ROOT, on_site, page_of

STUDIO = re.compile(r"^<!-- studio (?P<fragment>#\S+): (?P<words>.+) -->$", re.MULTILINE)
"""A link to the studio, which only the site has; elsewhere a comment."""
LANGUAGES = {".py": "python", ".toml": "toml"}


def stage(project: Path) -> None:
    """Put together all that Zensical reads."""
    docs = project / "docs"
    shutil.copytree(ROOT / "docs", docs)
    shutil.copytree(ROOT / "tools" / "site" / "assets", docs / "assets", dirs_exist_ok=True)
    shutil.copy(ROOT / "zensical.toml", project)
    for name in ("src", "tools"):
        (project / name).symlink_to(ROOT / name)
    pages = [str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md")]
    linked: set[str] = set()
    for place in [*pages, *(place for place in PAGES if place != "README.md")]:
        text, used = on_site((ROOT / place).read_text(encoding="utf-8"), place)
        (docs / page_of(place)).write_text(STUDIO.sub(_link, text), encoding="utf-8")
        linked |= used
    for place in linked - set(PAGES):
        if not place.startswith("docs/"):
            _add(docs / page_of(place), place)


def _link(match: re.Match[str]) -> str:
    address = f"studio/index.html{match['fragment']}".replace("&", "&amp;")
    return f'<p><a class="md-button md-button--primary" href="{address}">{match["words"]}</a></p>'


def _add(page: Path, place: str) -> None:
    """Add a file outside docs/: as it is, or as a page that shows it."""
    page.parent.mkdir(parents=True, exist_ok=True)
    if place.endswith(COPIED):
        shutil.copy(ROOT / place, page)
        return
    text = (ROOT / place).read_text(encoding="utf-8")
    if place.endswith(".md"):
        page.write_text(on_site(text, place)[0], encoding="utf-8")
    else:
        language = LANGUAGES.get(Path(place).suffix, "text")
        page.write_text(f"# {place}\n\n````{language}\n{text}````\n", encoding="utf-8")


def build(site: Path) -> None:
    """Build the site into a folder, in place of what was there; raises if there is a warning."""
    with tempfile.TemporaryDirectory() as folder:
        stage(Path(folder))
        tools = Path(sys.executable).parent  # of ruff as well, which sets signatures
        path = f"{tools}{os.pathsep}{os.environ.get('PATH', '')}"
        subprocess.run(
            [tools / "zensical", "build", "--strict"], cwd=folder, env={**os.environ, "PATH": path}, check=True
        )
        (Path(folder) / "site" / "404.html").unlink()  # its links hold only at the root of a server
        shutil.rmtree(site, ignore_errors=True)
        shutil.move(Path(folder) / "site", site)
    missing = studio.build(site / "studio")
    if missing:
        print(f"studio: not in the site, for {missing}; a page in its place says so", file=sys.stderr)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "site"
    try:
        build(target)
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
    print(f"open {target / 'index.html'}")
