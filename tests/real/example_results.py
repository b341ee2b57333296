"""The results that come with the package: ``python -m tests.real.example_results FOLDER``.

All records of the small datasets are rewritten by SmolLM2 and, for comparison, by rules; four
embedding models are scored on SmolLM2's texts; SmolLM2 judges both. The last answers of a run are
kept in FOLDER, so that a run that is interrupted goes on. Takes a quarter of an hour on two cores.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from shutil import copy

import pandas as pd

from robustrank.evaluators.hteb import HTEB
from robustrank.evaluators.hteb.run_texts import read_texts
from tests.real import models
from tests.real.demo import EXAMPLE, LIMITS, robustrank
from tests.real.llm_server import serving

TARGET = Path(__file__).resolve().parents[2] / "evaluators/hteb/data/example_results"
DATASETS = [{"path": str(EXAMPLE / f"{name}.yaml")} for name in LIMITS]
STUDY = {
    "profile": "paper",
    "seeds": [1337, 1338, 1339],
    "draws": "balanced",
    "fallback": "original",
}
#: The judge is asked twice: free to answer as it likes, and held to a digit.
JUDGES = """\
texts: {texts}
judges:
  - name: smollm2-135m-instruct
    model: {model}
    endpoints: {url}
    concurrency: 2
    extra_body: {{grammar: 'root ::= [1-5]'}}
  - {{name: smollm2-unheld, model: {model}, endpoints: {url}, concurrency: 2}}
per_transformation: 16
output: judged
"""


def run(folder: Path) -> None:
    """Rewrite and score, by SmolLM2 and by rules."""
    embedders = [
        {"model": str(models.minilm()), "name": "all-MiniLM-L6-v2"},
        {"model": str(models.wordllama()), "name": "wordllama"},
        {"model": str(models.multilingual()), "name": "m2v-multilingual"},
        models.UniversalSentenceEncoder(),
    ]
    with ExitStack() as stack:
        servers = [stack.enter_context(serving(parallel=2)) for _ in range(2)]
        asked = {"type": "openai", "model": servers[0].model, "concurrency": 4}
        HTEB().run(
            embedders,
            DATASETS,
            generator=asked | {"endpoints": [server.url for server in servers]},
            sampling={"max_tokens": 40, "max_tokens_expansion": 60},
            quality={
                "max_retries": 1,
                "retry": ["empty", "ellipsis"],
                "reject": ["empty", "ellipsis"],
            },
            output=str(folder / "smollm2"),
            **STUDY,
        )
    rules = {"type": "rules"}
    HTEB().run(embedders[:1], DATASETS, generator=rules, output=str(folder / "rules"), **STUDY)


def bundle(folder: Path) -> None:
    """Write the scores, and the texts of one seed."""
    TARGET.mkdir(exist_ok=True)
    scores = pd.read_csv(folder / "smollm2" / "scores.csv")
    scores.to_csv(TARGET / "scores.csv", index=False, float_format="%.12g")
    runs = [read_texts(folder / name) for name in ("smollm2", "rules")]
    texts = pd.concat(runs, ignore_index=True).query("seed == 1337").reset_index(drop=True)
    texts.insert(1, "item", texts["dataset"] + " " + texts["ordinal"].astype(str))
    for name in ("errors", "first_errors"):
        texts[name] = texts[name].map(list)
    texts.to_parquet(TARGET / "texts.parquet", compression="zstd", index=False)


def judge(folder: Path) -> None:
    """Write what SmolLM2 says of the texts."""
    config = folder / "judges.yaml"
    with serving(parallel=2) as server:
        config.write_text(
            JUDGES.format(texts=TARGET / "texts.parquet", model=server.model, url=server.url)
        )
        robustrank("hteb", "judge", config, "--quiet")
    copy(folder / "judged" / "judgements.csv", TARGET)


if __name__ == "__main__":
    where = Path(sys.argv[1]).resolve()
    where.mkdir(parents=True, exist_ok=True)
    run(where)
    bundle(where)
    judge(where)
