"""The demonstration's study with vLLM in process in place of servers."""

from __future__ import annotations

import os

import pandas as pd
import pytest

from tests.real.demo import LIMITS, robustrank, write_study
from tests.real.smollm2 import convert

pytestmark = pytest.mark.vllm

GENERATOR = """\
  type: vllm
  model: {model}
  batch: 32
  engine: {{dtype: float32, enforce_eager: true, max_model_len: 1024}}"""


def test_a_study_with_vllm_in_process(tmp_path, monkeypatch):
    for name, value in {"VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_NO_USAGE_STATS": "1"}.items():
        monkeypatch.setitem(os.environ, name, value)
    convert(tmp_path / "smollm2")
    study = write_study(tmp_path / "demo", GENERATOR.format(model=tmp_path / "smollm2"))
    robustrank("hteb", "run", study)
    table = pd.read_csv(study.parent / "results" / "scores.csv")
    assert len(table) == 3 * len(LIMITS) * 2 * 9
    assert table["score_with_fallbacks"].notna().sum() > 0.9 * len(table) * 8 / 9
    rewritten = table[table["transformation"] != "original"]
    assert rewritten["fallback_rate"].mean() < 0.2
