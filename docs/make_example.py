"""Compile the bundled example from public MTEB results; writes the same bytes every time.

python docs/make_example.py DATA_FOLDER robustrank/data
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from robustrank.readers import read

if TYPE_CHECKING:
    import pandas as pd

    from robustrank import ScoreMatrix

SNAPSHOT = "aug2026"
# Its result files are too large for the compilation, so no model has a complete result.
LEFT_OUT = "FloresBitextMining"
# Well-known models that lack a few datasets, beside all that lack none.
INCOMPLETE = (
    "Alibaba-NLP/gte-Qwen2-1.5B-instruct",
    "Alibaba-NLP/gte-multilingual-base",
    "BAAI/bge-m3",
    "Cohere/Cohere-embed-multilingual-v3.0",
    "Linq-AI-Research/Linq-Embed-Mistral",
    "Salesforce/SFR-Embedding-Mistral",
    "Snowflake/snowflake-arctic-embed-m-v2.0",
    "intfloat/multilingual-e5-large",
    "mongodb/voyage-3",
    "nvidia/NV-Embed-v2",
    "openai/text-embedding-3-large",
    "sentence-transformers/all-mpnet-base-v2",
)
MODEL_FIELDS = (
    "n_parameters",
    "open_weights",
    "zero_shot",
    "release_date",
    "embed_dim",
    "max_tokens",
)


def compile_example(data: Path) -> ScoreMatrix:
    """Read the long table by today's rule of the board: a partial result is a missing one."""
    matrix = read(
        data / f"mteb_multilingual_v2_{SNAPSHOT}.parquet",
        tasks=data / f"tasks_multilingual_v2_{SNAPSHOT}.csv",
        models=data / f"models_{SNAPSHOT}.parquet",
        partial="drop",
    )
    datasets = sorted(set(matrix.scores.columns) - {LEFT_OUT})
    complete = matrix.scores[datasets].notna().all(axis=1)
    return matrix.select(models=sorted({*complete.index[complete], *INCOMPLETE}), datasets=datasets)


def write_example(matrix: ScoreMatrix, folder: Path) -> None:
    """Write scores.csv, datasets.csv and models.csv, in alphabetical order."""
    order, columns = sorted(matrix.scores.index), sorted(matrix.scores.columns)
    _write(matrix.scores.loc[order, columns].round(5), folder / "scores.csv")
    datasets = matrix.datasets.loc[columns, ["task_type", "languages"]]
    datasets["languages"] = datasets["languages"].map(";".join)
    _write(datasets, folder / "datasets.csv")
    models = matrix.models.loc[order, list(MODEL_FIELDS)]
    counts = ["n_parameters", "embed_dim", "max_tokens"]
    _write(models.astype(dict.fromkeys(counts, "Int64")), folder / "models.csv")


def _write(table: pd.DataFrame, path: Path) -> None:
    path.write_bytes(table.to_csv(lineterminator="\n").encode())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the long table and its metadata")
    parser.add_argument("output", type=Path, help="folder to write the three files to")
    arguments = parser.parse_args()
    write_example(compile_example(arguments.data), arguments.output)


if __name__ == "__main__":
    main()
