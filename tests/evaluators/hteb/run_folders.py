"""Folders such as runs leave, with texts that are made up."""

from __future__ import annotations

import json

from robustrank.evaluators.hteb.files.paths import generator_directory
from robustrank.evaluators.hteb.records import Slot
from robustrank.evaluators.hteb.study.chains import Outcome
from robustrank.evaluators.hteb.study.outcomes import Variant, write_outcomes
from tests.evaluators.hteb.examples import pairs


def outcome(text, errors=(), first_errors=None, **changes) -> Outcome:
    """What became of a text; a text that is None got no answer."""
    first = errors if first_errors is None else first_errors
    values = {
        "text": text,
        "output": text or "",
        "reasons": (),
        "errors": tuple(errors),
        "first_errors": tuple(first),
        "retries": 0,
        "source": "English",
        "target": None,
    }
    return Outcome(**{**values, **changes})


def write_texts(folder, dataset, transformation, seed, originals, outcomes) -> Variant:
    """Write the file of one transformed dataset as a study does."""
    slots = [Slot(i, i, "text", (), text, "eng", "eng") for i, text in enumerate(originals)]
    variant = Variant(pairs("eng"), slots, outcomes, corpus=True)
    path = folder / "texts" / generator_directory(dataset) / transformation / f"{seed}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_outcomes(path, variant, "identity")
    return variant


def write_settings(folder, model, identifier="py3langid") -> None:
    """Write what `read_texts` looks at of a run's settings; None is a run without generator."""
    settings = {
        "generator": model and {"model": model, "revision": None, "settings": {}},
        "identifier": identifier and {"name": identifier, "version": "1"},
    }
    folder.joinpath("settings.json").write_text(json.dumps(settings))
