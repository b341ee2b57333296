from __future__ import annotations

import base64
import gzip

import pandas as pd

from robustrank.report.html.downloads import embed_tables


def body(download) -> bytes:
    return base64.b64decode(download.address.partition(",")[2])


def test_a_small_table_is_plain_and_a_large_one_compressed():
    small = pd.DataFrame({"model": ["a,b", 'c"d'], "score": [0.1, 1 / 3]})
    large = pd.DataFrame({"score": [i / 7 for i in range(5000)]})
    plain, packed = embed_tables({"small": small, "large": large})
    assert (plain.name, plain.packed, packed.name, packed.packed) == (
        "small.csv", False, "large.csv", True,
    )  # fmt: skip
    assert body(plain).decode() == 'model,score\n"a,b",0.1\n"c""d",0.3333333333333333\n'
    assert gzip.decompress(body(packed)).decode() == large.to_csv(index=False, lineterminator="\n")
    assert len(packed.address) < len(large.to_csv())
    assert plain.size == "2 rows, 1 kB"
    assert packed.size.startswith("5,000 rows, ")


def test_the_same_table_gives_the_same_address():
    table = pd.DataFrame({"score": [i / 7 for i in range(5000)]})
    assert embed_tables({"a": table}) == embed_tables({"a": table.copy()})
