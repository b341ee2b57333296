"""``robustrank hteb``: the commands of studies, and of what is made of their results."""

import typer

from robustrank.evaluators.hteb.cli import contrast, errors, judge, ratings, stats, study, survey

app = typer.Typer(
    help="HTEB: rewrite benchmark texts with a language model and score embedding models on both.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
for command in (
    study.example,
    study.plan,
    study.transform,
    study.evaluate,
    study.run,
    study.export,
    stats.stats,
    contrast.contrast,
    errors.errors,
    judge.judge,
    survey.survey,
    ratings.ratings,
):
    app.command()(command)
