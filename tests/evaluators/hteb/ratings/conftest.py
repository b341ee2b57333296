"""The texts of a small run, and people who rate them."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS

#: Texts that would break a page, a table or a spreadsheet that takes them for more than text.
HOSTILE = (
    "<script>alert('x')</script> & \"quotes\"",
    '=HYPERLINK("http://example.org")',
    "two\nlines, and a comma; a semicolon\tand a tab",
    "価格は a$b$ です",
    "مرحبا بالعالم",
    "half a pair: \ud83d",
)


def write_texts(root, dataset, transformation, rows, seed=1337):
    path = root / "texts" / dataset / transformation / f"{seed}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pd.DataFrame(rows).assign(errors=[[]] * len(rows), first_errors=[[]] * len(rows))
    table.insert(0, "ordinal", np.arange(len(rows)))
    table.to_parquet(path)


@pytest.fixture
def run_folder(tmp_path):
    """Three datasets of 12, 6 and 8 texts under all transformations; ``pairs`` is of type sts."""
    root = tmp_path / "run"
    datasets = {"news": 12, "mail": 6, "pairs": 8}
    for dataset, size in datasets.items():
        for name, known in TRANSFORMATIONS.items():
            rows = []
            for i in range(size):
                original, text = f"{dataset} text {i}", f"{name} of {dataset} text {i}"
                target = ("German", "Arabic")[i % 2] if not known.keeps_language else None
                if dataset == "pairs":
                    target = "German" if target else None
                row = {"original": original, "text": text, "output": text}
                rows.append({**row, "source": "English", "target": target})
            write_texts(root, dataset, name, rows)
    listed = [{"name": name, "task_type": "sts" if name == "pairs" else "x"} for name in datasets]
    settings = {"generator": {"model": "g"}, "identifier": None, "datasets": listed}
    (root / "settings.json").write_text(json.dumps(settings))
    gold = root / "instances" / "pairs" / "original" / "a.parquet"
    gold.parent.mkdir(parents=True)
    pd.DataFrame({"instance": list("0123"), "gold": [0.0, 2.5, 4.0, 5.0]}).to_parquet(gold)
    return root


def fill(survey, folder, raters, answer):
    """Let raters fill in the CSV forms; `answer` makes a rating of item, criterion and rater."""
    for path in sorted((folder / "forms").glob("*.csv")):
        form = pd.read_csv(path)
        for rater in raters:
            own = form.astype({"rater": object}).assign(rater=rater)
            for criterion in [
                name for name in form.columns if name in ("quality", "fluency", "similarity")
            ]:
                own[criterion] = [answer(item, criterion, rater) for item in own["item"]]
            own.to_csv(folder / "ratings" / f"{path.stem}-{rater}.csv", index=False)
