"""Options shown with their values, to be changed one by one until the user goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from procura.catalog import Option
from procura.cli.menu.questions import Back, Questions, counted_from_1
from procura.configuration import plain
from procura.errors import InputError

GO_ON = "\n"
"""What no answer can be."""


def adjust(questions: Questions, title: str, options: Sequence[Option], before: Mapping[str, str]) -> dict[str, str]:
    """The options that are not left at their defaults, as text; ``before`` are those of last time."""
    chosen = {option.name: before[option.name] for option in options if _usable(option, before.get(option.name))}
    known = {option.name: option for option in options}

    def read(answer: str) -> str:
        """A number, a name, or ``name=value``."""
        if answer == "0":
            raise Back
        name, equals, value = (part.strip() for part in answer.partition("="))
        number = counted_from_1(name, len(options))
        name = name if number is None else options[number - 1].name
        if name not in known:
            raise InputError(
                f"{answer!r:.40}: expected a number from 0 to {len(options)}, name=value, or Enter to go on"
            )
        if equals:
            _set(chosen, known[name], value)
            return ""
        return name

    while options:
        questions.say(f"\n{title}", "bold")
        questions.listing([(f"{option.name}={_value(option, chosen)}", _about(option)) for option in options])
        name = questions.ask("change a number, or name=value", read, "go on", GO_ON)
        if name == GO_ON:
            break
        if name:
            _ask_value(questions, chosen, known[name])
    return chosen


def _ask_value(questions: Questions, chosen: dict[str, str], option: Option) -> None:
    """Ask for one value; going back leaves it as it is."""

    def read(answer: str) -> bool:
        _set(chosen, option, answer)
        return True

    try:
        questions.ask(f"{option.name}, {option.expected()}", read, _value(option, chosen), True)
    except Back:
        return


def _set(chosen: dict[str, str], option: Option, text: str) -> None:
    """Note a value that can be used; one that is the default is not noted."""
    if option.read(text) == option.default:
        chosen.pop(option.name, None)
    else:
        chosen[option.name] = text


def _usable(option: Option, text: str | None) -> bool:
    """Whether a remembered value can still be used."""
    try:
        return text is not None and option.read(text) != option.default
    except InputError:
        return False


def _value(option: Option, chosen: Mapping[str, str]) -> str:
    return chosen.get(option.name) or plain(option.default)


def _about(option: Option) -> str:
    return option.about + (f" ({option.expected()})" if option.kind in ("choice", "bool") else "")
