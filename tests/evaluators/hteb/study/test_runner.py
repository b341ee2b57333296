"""Studies on the bundled example, with rules for a generator and letters for models."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_extraction.text import HashingVectorizer

import robustrank as rr
from robustrank._progress import Silent
from robustrank.errors import (
    DuplicateError,
    EmptyMatrixError,
    InputError,
    ParameterError,
    UnknownLabelError,
)
from robustrank.evaluators import Evaluation, Evaluator, load_evaluator
from robustrank.evaluators.hteb import HTEB
from robustrank.evaluators.hteb.statistics.totals import total_scores
from robustrank.evaluators.hteb.study import runner
from robustrank.evaluators.hteb.study.building import build_study
from robustrank.evaluators.hteb.study.exporting import export_study
from robustrank.evaluators.hteb.study.reading import load_config
from robustrank.evaluators.hteb.study.results import to_matrix, to_table
from robustrank.evaluators.hteb.study.writing import describe
from robustrank.evaluators.hteb.texts.transformations import AXES, TRANSFORMATIONS

EXAMPLE = files("robustrank.evaluators.hteb") / "data" / "example"
DATASETS = [
    "requests",
    "topics",
    "duplicates",
    "similarity",
    "relatedness",
    "answers",
    "animals",
    "summaries",
]


class Letters:
    """Embeds a text by its groups of letters; counts the texts that it was given."""

    def __init__(self, name, n_letters, identity=None):
        self.name = name
        if identity:
            self.identity = identity
        self.n_texts = 0
        self._vectors = HashingVectorizer(
            analyzer="char_wb", ngram_range=(1, n_letters), n_features=64, alternate_sign=False
        )

    def encode(self, texts):
        self.n_texts += len(texts)
        return self._vectors.transform(texts).toarray()


def config(tmp_path, datasets=("similarity", "animals"), **options):
    options = {
        "datasets": [
            {"path": str(EXAMPLE / f"{part}.yaml")} if part in DATASETS else part
            for part in datasets
        ],
        "generator": "rules",
        "seeds": [1337, 1338],
        "output": str(tmp_path / "out"),
        "kmeans_batch_size": 4096,
    } | options
    return load_config({key: value for key, value in options.items() if value is not None})


def models():
    return [Letters("short", 1, "letters/1"), Letters("long", 3, "letters/3")]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A study of every task type and transformation."""
    tmp_path = tmp_path_factory.mktemp("study")
    settings = config(tmp_path, DATASETS)
    return settings, runner.run(settings, objects=models())


def test_every_task_type_has_a_score_for_every_transformation_and_seed(whole):
    _, evaluation = whole
    table = evaluation.table
    assert len(table) == 2 * len(DATASETS) * 2 * (1 + len(TRANSFORMATIONS))
    assert set(table["task_type"]) == {
        "classification",
        "clustering",
        "pair_classification",
        "sts",
        "str",
        "reranking",
        "retrieval",
        "summarisation",
    }
    assert not table.duplicated(["model", "dataset", "transformation", "seed_transform"]).any()
    assert table["score"].between(-1, 1).all()
    rewritten = table[table["transformation"] != "original"]
    rates = rewritten.filter(like="_rate")
    assert rates.shape[1] == 13
    assert ((rates >= 0) & (rates <= 1)).all(axis=None)
    assert rewritten["score_with_fallbacks"].notna().all()


def test_the_matrix_holds_the_mean_over_axes_of_the_means_over_transformations(whole):
    _, evaluation = whole
    for model in ("short", "long"):
        for dataset in DATASETS:
            rows = evaluation.table.query("model == @model and dataset == @dataset")
            axes = [
                np.mean(
                    [rows.loc[rows["transformation"] == name, "score"].mean() for name in members]
                )
                for members in AXES.values()
            ]
            assert evaluation.matrix.scores.loc[model, dataset] == pytest.approx(np.mean(axes))
    assert evaluation.matrix.datasets.loc["relatedness", "task_type"] == "STS"


def test_the_matrix_can_be_analysed_as_it_is_and_from_its_file(whole):
    settings, evaluation = whole
    analysis = rr.analyze(evaluation.matrix, n_resamples=100, n_refits=2)
    assert list(analysis.to_frame().index) in (["long", "short"], ["short", "long"])
    read = rr.read(settings.output / "matrix.csv")
    pd.testing.assert_frame_equal(
        read.scores, evaluation.matrix.scores, check_names=False, check_exact=False
    )
    again = rr.read(settings.output / "scores.JSON")
    np.testing.assert_allclose(
        again.scores.loc[["short", "long"], DATASETS], evaluation.matrix.scores, rtol=1e-12
    )


def test_everything_that_is_needed_to_do_it_again_is_written(whole):
    settings, _ = whole
    written = json.loads((settings.output / "settings.json").read_text())
    assert written["config"]["seeds"] == [1337, 1338]
    assert set(written["profile"]["prompts"]) >= set(TRANSFORMATIONS) - {
        "backtranslation",
        "summarised_expansion",
    }
    assert written["versions"]["numpy"]
    assert [dataset["name"] for dataset in written["datasets"]] == DATASETS
    table = pd.read_csv(settings.output / "scores.csv")
    assert len(table) == 2 * len(DATASETS) * 2 * 9


def test_the_scores_of_instances_are_kept_and_average_to_the_score(whole):
    settings, evaluation = whole
    folder = settings.output / "instances" / "answers" / "paraphrasing"
    tables = {path: pd.read_parquet(path) for path in folder.rglob("*.parquet")}
    assert len(tables) == 4
    rows = evaluation.table.query("dataset == 'answers' and transformation == 'paraphrasing'")
    means = sorted(table["score"].mean() for table in tables.values())
    np.testing.assert_allclose(means, sorted(rows["score"]))


def test_the_totals_of_instances_can_be_resampled_with_the_matrix(whole):
    settings, evaluation = whole
    scores = rr.read_instances(settings.output / "instances.parquet")
    assert set(scores.datasets) == {"requests", "topics", "answers", "animals"}
    np.testing.assert_allclose(
        scores.table("animals").mean(axis="columns")[["short", "long"]],
        evaluation.matrix.scores["animals"][["short", "long"]],
        rtol=1e-4,  # nDCG is rounded to 5 decimals
    )
    parts = evaluation.matrix.select(datasets=list(scores.datasets))
    result = rr.paired_bootstrap(parts, instances=scores, n_resamples=50)
    assert result.settings["two_level"] is True


def test_a_second_run_asks_and_embeds_and_scores_nothing_again(whole):
    settings, evaluation = whole
    again = models()
    repeated = runner.run(settings, objects=again)
    assert [model.n_texts for model in again] == [0, 0]
    pd.testing.assert_frame_equal(repeated.table, evaluation.table)


def test_a_lost_journal_is_made_again_from_the_texts_and_vectors(tmp_path):
    settings = config(tmp_path)
    first = runner.run(settings, objects=models())
    (settings.output / "scores.jsonl").unlink()
    again = models()
    repeated = runner.run(settings, objects=again)
    assert [model.n_texts for model in again] == [0, 0]
    pd.testing.assert_frame_equal(repeated.table, first.table)


def test_a_journal_cut_off_amid_a_line_loses_that_line_only(tmp_path):
    settings = config(tmp_path, ["similarity"])
    first = runner.run(settings, objects=models())
    journal = settings.output / "scores.jsonl"
    journal.write_bytes(journal.read_bytes()[:-40])
    repeated = runner.run(settings, objects=models())
    pd.testing.assert_frame_equal(repeated.table, first.table)
    for line in journal.read_text().splitlines()[:-1]:
        if line.endswith("}"):
            json.loads(line)


def test_the_texts_survive_without_their_files(tmp_path):
    settings = config(tmp_path, ["similarity"])
    first = runner.run(settings, objects=models())
    for path in (settings.output / "texts").rglob("*.parquet"):
        path.unlink()
    (settings.output / "scores.jsonl").unlink()
    study = build_study(settings, objects=models())
    evaluation = runner.evaluate(study, Silent())
    pd.testing.assert_frame_equal(evaluation.table, first.table)


def test_a_model_without_identity_is_scored_anew(tmp_path):
    settings = config(tmp_path, ["similarity"])
    runner.run(settings, objects=[Letters("m", 2)])
    again = Letters("m", 2)
    evaluation = runner.run(settings, objects=[again])
    assert again.n_texts > 0
    assert "not-cached" in {note.code for note in evaluation.matrix.notes}


def test_evaluating_before_transforming_says_what_to_run(tmp_path):
    study = build_study(config(tmp_path, ["similarity"]), objects=models())
    with pytest.raises(InputError, match=r"not generated .* 'robustrank hteb transform'"):
        runner.evaluate(study, Silent())


def test_failed_texts_leave_both_sides_of_the_comparison_or_are_replaced(tmp_path):
    """Every translation counts as failed where only an unchanged text is accepted."""
    reject = {"reject": ["wrong_language", "identical", "truncated"], "max_retries": 0}
    excluded = runner.run(
        config(tmp_path, ["relatedness"], quality=reject, seeds=[1337]), objects=models()
    )
    table = excluded.table.query("transformation != 'original'")
    partly = table[table["fallback_rate"].between(0.01, 0.99)]
    assert len(partly)
    assert (table["score"].fillna(-9) == table["score_without_fallbacks"].fillna(-9)).all()
    assert "failed-texts" in {note.code for note in excluded.matrix.notes}
    replaced = runner.run(
        config(tmp_path, ["relatedness"], quality=reject, seeds=[1337], fallback="original"),
        objects=models(),
    ).table.query("transformation != 'original'")
    assert (replaced["score"] == replaced["score_with_fallbacks"]).all()
    np.testing.assert_array_equal(
        replaced["score_without_fallbacks"], table["score_without_fallbacks"]
    )
    whole = replaced[replaced["fallback_rate"] == 1]
    np.testing.assert_allclose(whole["score"], whole["original"])


def test_exported_texts_come_back_with_the_same_scores(tmp_path):
    settings = config(tmp_path, DATASETS, transformations=["translation", "summarised_expansion"])
    first = runner.run(settings, objects=models())
    written = list(export_study(build_study(settings), tmp_path / "pairs"))
    assert len(written) == len(DATASETS) * 2 * 2
    imported = config(
        tmp_path,
        DATASETS,
        transformations=["translation", "summarised_expansion"],
        generator=None,
        import_from={"directory": str(tmp_path / "pairs"), "generator_model": "rules"},
        output=str(tmp_path / "imported"),
    )
    again = runner.run(imported, objects=models())
    columns = ["model", "dataset", "transformation", "seed_transform", "score"]
    pd.testing.assert_frame_equal(again.table[columns], first.table[columns])


def test_a_folder_without_the_files_is_named(tmp_path):
    settings = config(
        tmp_path,
        generator=None,
        import_from={"directory": str(tmp_path), "generator_model": "owner/model"},
    )
    with pytest.raises(InputError, match=r"no files of similarity, .* by owner/model"):
        build_study(settings)


def test_import_takes_whole_datasets(tmp_path):
    settings = config(
        tmp_path,
        generator=None,
        limit=3,
        import_from={"directory": str(tmp_path), "generator_model": "owner/model"},
    )
    with pytest.raises(ParameterError, match="limit cannot be used with import_from"):
        build_study(settings)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"generator": None}, "names no generator"),
        ({"generator": {"type": "opanai"}}, "openai"),
        ({"generator": {"type": "openai"}}, "endpoints"),
        ({"quality": {"identifier": "fasttext"}}, "fasttext"),
        ({"quality": {"reject": ["identicl"]}}, "identical"),
        ({"datasets": ["banking78"]}, "banking77"),
        ({"prompts": "nowhere.yaml"}, "nowhere"),
    ],
)
def test_what_cannot_work_is_said_before_the_first_request(tmp_path, options, problem):
    with pytest.raises(InputError, match=problem):
        build_study(config(tmp_path, **options))


def test_a_study_without_models_says_so_before_it_generates(tmp_path):
    settings = config(tmp_path, ["similarity"], transformations=["expansion"], seeds=[1])
    with pytest.raises(ParameterError, match="names no models"):
        runner.run(settings)
    assert not settings.output.exists()


@pytest.mark.parametrize(
    ("models", "problem"),
    [
        (["a/e5", "b/e5"], "Two models would be called e5"),
        ([{"model": "a/e5", "batchsize": 3}], "batch_size"),
        (["/nowhere/model"], "no folder /nowhere/model"),
        ([{"model": "m", "kind": "onnx"}], "kind of embedding model"),
    ],
)
def test_models_are_checked_before_anything_is_generated(tmp_path, models, problem):
    settings = config(tmp_path, ["similarity"], models=models)
    with pytest.raises(InputError, match=problem):
        runner.run(settings)
    assert not settings.output.exists()


def test_two_objects_of_one_name_are_refused(tmp_path):
    twice = [Letters("m", 1, "1"), Letters("m", 2, "2")]
    with pytest.raises(DuplicateError, match="attribute name"):
        runner.run(config(tmp_path, ["similarity"]), objects=twice)


def test_a_renamed_model_has_its_new_name_in_the_results(tmp_path):
    settings = config(tmp_path, ["similarity"], transformations=["expansion"], seeds=[1])
    runner.run(settings, objects=[Letters("old", 2, "same")])
    renamed = Letters("new", 2, "same")
    table = runner.run(settings, objects=[renamed]).table
    assert set(table["model"]) == {"new"}
    assert renamed.n_texts == 0


def test_settings_that_alternate_do_not_mix_their_instances(tmp_path):
    options = {"transformations": ["expansion"], "seeds": [1], "datasets": ["answers"]}
    all_of_them = config(tmp_path, **options)
    runner.run(all_of_them, objects=models())
    expected = pd.read_parquet(all_of_them.output / "instances.parquet")
    runner.run(config(tmp_path, **options, limit=2), objects=models())
    assert len(pd.read_parquet(all_of_them.output / "instances.parquet")) < len(expected)
    runner.run(all_of_them, objects=models())
    again = pd.read_parquet(all_of_them.output / "instances.parquet")
    pd.testing.assert_frame_equal(again, expected)


def test_what_is_written_holds_no_secrets_and_no_paths_of_the_machine(tmp_path):
    server = {"type": "openai", "model": "m", "endpoints": "http://127.0.0.1:9/v1"}
    headers = {"X-Team": "secret-7"}
    settings = config(tmp_path, ["similarity"], generator={**server, "headers": headers})
    study = build_study(settings.model_copy(update={"store": "postgresql://u:secret-8@h/d"}))
    written = json.dumps(describe(study))
    assert "X-Team" in written
    assert "secret" not in written
    assert str(tmp_path) not in written


def test_a_study_of_which_nothing_can_be_scored_still_has_its_table(tmp_path):
    settings = config(tmp_path, ["similarity"], limit=1, transformations=["expansion"], seeds=[1])
    evaluation = runner.run(settings, objects=models())
    assert evaluation.table["score"].isna().all()
    assert (settings.output / "scores.csv").exists()
    assert not (settings.output / "scores.JSON").exists()


def test_exported_files_are_not_written_twice(tmp_path):
    settings = config(
        tmp_path,
        ["similarity"],
        transformations=["expansion"],
        seeds=[1],
        export_to=str(tmp_path / "pairs"),
    )
    runner.run(settings, objects=models())
    runner.run(settings, objects=models())
    assert len(list((tmp_path / "pairs").rglob("data_*.parquet"))) == 1


def test_texts_that_another_study_replaced_are_not_scored(tmp_path):
    settings = config(tmp_path, ["similarity"], transformations=["expansion"], seeds=[1])
    study = build_study(settings, objects=models())
    runner.generate(study, Silent())
    [job] = study.jobs
    header = study.header(job)
    other = build_study(settings.model_copy(update={"limit": 2}), objects=models())
    runner.generate(other, Silent())
    with pytest.raises(InputError, match="another output folder"):
        study.variant(job, header)


def test_it_is_an_evaluator_that_is_found_by_name(tmp_path):
    evaluator = load_evaluator("hteb")
    assert isinstance(evaluator, Evaluator)
    assert isinstance(evaluator, HTEB)
    evaluation = evaluator.run(
        models(),
        [{"path": str(EXAMPLE / "similarity.yaml")}],
        generator="rules",
        transformations=["paraphrasing"],
        seeds=[1],
        output=str(tmp_path),
    )
    assert isinstance(evaluation, Evaluation)
    assert evaluation.matrix.shape == (2, 1)


def test_another_value_than_the_total_can_be_taken(whole):
    _, evaluation = whole
    table = evaluation.table
    original = total_scores(table, "original")
    expected = table.query("transformation == 'original' and model == 'long'")
    np.testing.assert_allclose(
        original.loc["long", DATASETS],
        expected.groupby("dataset")["score"].mean()[DATASETS],
    )
    axis = total_scores(table, "Language")
    both = [total_scores(table, name) for name in ("translation", "cross_translation")]
    np.testing.assert_allclose(axis, sum(both) / 2)
    with pytest.raises(UnknownLabelError, match="total"):
        total_scores(table, "totl")
    with pytest.raises(EmptyMatrixError, match="expansion"):
        total_scores(table[table["transformation"] == "original"], "expansion")


def test_a_total_that_lacks_a_part_is_missing_and_named(whole):
    _, evaluation = whole
    rows = evaluation.table.copy()
    place = rows.query("model == 'long' and dataset == 'topics' and axis == 'Length'").index[0]
    rows.loc[place, "score"] = np.nan
    matrix = to_matrix(rows)
    assert np.isnan(matrix.scores.loc["long", "topics"])
    assert matrix.scores.notna().sum().sum() == 2 * len(DATASETS) - 1
    [note] = [note for note in matrix.notes if note.code == "undefined-scores"]
    assert note.labels == ("long on topics",)


def test_rows_without_any_score_make_a_table():
    assert to_table([]).empty
