"""A study's configuration: what is rewritten, by what, and which models are scored."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path, PurePath
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from robustrank.evaluators.hteb.texts.transformations import TRANSFORMATIONS


def _listed(value: object) -> object:
    """Take one thing for a list of one."""
    return [value] if isinstance(value, str | int | dict | PurePath) else value


def _named(key: str) -> BeforeValidator:
    """Take a name for a mapping that has nothing but that name."""
    return BeforeValidator(lambda value: {key: value} if isinstance(value, str) else value)


def _source(value: object) -> object:
    """Take a text for a dataset's name, or for the path of its description by its ending."""
    if not isinstance(value, str | PurePath):
        return value
    path = PurePath(value).suffix.lower() in {".yaml", ".yml", ".json"}
    return {"path" if path else "name": str(value)}


#: NumPy and scikit-learn take 32 bits.
Seed = Annotated[int, Field(ge=0, lt=2**32, strict=True)]
Limit = Annotated[int, Field(ge=1, strict=True)]


class Part(BaseModel):
    """A part of which every key is known."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class _Open(BaseModel):
    """A part whose further keys are the options of what it names."""

    model_config = ConfigDict(extra="allow", frozen=True)

    @property
    def options(self) -> dict[str, Any]:
        return dict(self.__pydantic_extra__ or {})


class GeneratorConfig(_Open):
    """The generator's name in the registry; the other keys are its options."""

    type: str = "openai"


class ModelConfig(_Open):
    """An embedding model; the other keys are the options of its kind of embedder."""

    model: str
    name: str | None = None


class DatasetConfig(Part):
    """A dataset or group by name, or a file that describes one, and how much of it is used."""

    name: str | None = None
    path: str | None = None
    limit: Limit | None = None
    languages: Annotated[list[str], BeforeValidator(_listed)] | None = None
    max_tokens: Limit | None = None

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.name is None) == (self.path is None):
            raise ValueError("give either the name of a dataset or the path of its description")
        return self


class SamplingConfig(Part):
    """What replaces the profile's own sampling."""

    temperature: Annotated[float, Field(ge=0, le=10)] | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    top_k: Annotated[int, Field(ge=-1)] | None = None
    repetition_penalty: Annotated[float, Field(gt=0)] | None = None
    max_tokens: Limit | None = None
    max_tokens_expansion: Limit | None = None
    structured: bool | None = None


class ImportConfig(Part):
    """Transformed datasets in the released tool's files, and who wrote the texts."""

    directory: Path
    generator_model: str


class QualityConfig(Part):
    """Which errors are tried again and which make a text a failure; see `texts.retries.Policy`."""

    max_retries: Annotated[int, Field(ge=0, strict=True)] = 3
    retry: Annotated[list[str], BeforeValidator(_listed)] | None = None
    reject: Annotated[list[str], BeforeValidator(_listed)] | None = None
    identifier: str | None = "py3langid"
    words: Literal["scripts", "whitespace"] = "scripts"


class Config(Part):
    """A study.

    Attributes
    ----------
    profile : {"paper", "v1.1"}
        Prompts, sampling and form of the answers.
    prompts : path, optional
        A YAML file with wordings that replace the profile's, by stage.
    transformations : list of str
    seeds : list of int
        One run each.
    evaluation_seeds : list of int, optional
        The seeds of classifiers and clusterings, one for each of `seeds`; the same unless given.
    draws : {"v1.1", "balanced"}
        How target and pivot languages are drawn.
    datasets : list
        Names of datasets or groups, ``mteb:TASK``, paths of descriptions, or mappings of these with
        a limit and languages.
    limit, languages
        For every dataset that does not name its own.
    sample_seed : int
        Which part of a dataset a limit takes.
    transform_corpus : bool
        Whether documents and candidates are rewritten too, or queries only.
    generator, sampling, quality
        See `GeneratorConfig`, `SamplingConfig` and `QualityConfig`.
    models : list
        See `ModelConfig`.
    embedding : mapping
        Options for every model that does not name its own.
    protocol : {"hteb-v1.1", "mteb"}
    fallback : {"exclude", "original"}
        What stands for a text that could not be rewritten: nothing, so that it is left out of both
        sides of the comparison, or its original.
    ignore_identical_ids : bool, optional
        Whether retrieval leaves a document with the id of the query out of its results; by
        default, what each dataset says.
    kmeans_batch_size : int
    store : str, optional
        Path or SQLAlchemy URL of the generated texts; ``generations.sqlite`` in `output` unless
        given.
    max_model_length : int
        Tokens that the generator takes, for the record.
    import_from : mapping, optional
        The folder and the generator of transformed datasets in the released tool's files, which
        are read in place of generating anything; see `ImportConfig`.
    export_to : path, optional
        Where such files are written once everything is generated.
    output : path
        The folder for everything that is written.
    """

    profile: Literal["paper", "v1.1"] = "paper"
    prompts: Path | None = None
    transformations: Annotated[list[str], BeforeValidator(_listed)] = Field(
        default_factory=lambda: list(TRANSFORMATIONS), min_length=1
    )
    seeds: Annotated[list[Seed], BeforeValidator(_listed)] = Field(
        default=[1337, 1338, 1339], min_length=1
    )
    evaluation_seeds: Annotated[list[Seed], BeforeValidator(_listed)] | None = None
    draws: Literal["v1.1", "balanced"] = "v1.1"
    datasets: Annotated[
        list[Annotated[DatasetConfig, BeforeValidator(_source)]], BeforeValidator(_listed)
    ] = Field(min_length=1)
    limit: Limit | None = None
    languages: Annotated[list[str], BeforeValidator(_listed)] | None = None
    sample_seed: Seed = 0
    transform_corpus: bool = True
    generator: Annotated[GeneratorConfig, _named("type")] | None = None
    sampling: SamplingConfig = SamplingConfig()
    quality: QualityConfig = QualityConfig()
    models: Annotated[list[Annotated[ModelConfig, _named("model")]], BeforeValidator(_listed)] = []
    embedding: dict[str, Any] = {}
    protocol: Literal["hteb-v1.1", "mteb"] = "hteb-v1.1"
    fallback: Literal["exclude", "original"] = "exclude"
    ignore_identical_ids: bool | None = None
    kmeans_batch_size: Limit = 500
    store: str | None = None
    max_model_length: Limit = 8192
    import_from: ImportConfig | None = None
    export_to: Path | None = None
    output: Path = Path("hteb-results")

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for name in self.transformations:
            if name not in TRANSFORMATIONS:
                close = get_close_matches(name, TRANSFORMATIONS, n=1)
                hint = f"did you mean {close[0]!r}?" if close else f"known: {[*TRANSFORMATIONS]}"
                raise ValueError(f"unknown transformation {name!r}: {hint}")
        named: dict[str, list[str]] = {
            "transformations": self.transformations,
            "seeds": [str(seed) for seed in self.seeds],
            "models": [model.name or model.model for model in self.models],
        }
        for key, values in named.items():
            twice = sorted({value for value in values if values.count(value) > 1})
            if twice:
                remedy = "give each a name of its own" if key == "models" else "list each once"
                raise ValueError(f"{key} has {', '.join(twice)} more than once; {remedy}")
        if self.generator and self.import_from:
            raise ValueError(
                "texts are either generated or imported; leave out generator or import_from"
            )
        if self.export_to and self.import_from:
            raise ValueError("imported texts are in such files already; leave out export_to")
        if self.evaluation_seeds and len(self.evaluation_seeds) != len(self.seeds):
            raise ValueError(
                f"evaluation_seeds are paired with seeds by position; there are "
                f"{len(self.evaluation_seeds)} and {len(self.seeds)}"
            )
        return self

    @property
    def seed_pairs(self) -> list[tuple[int, int]]:
        """Seeds of the transformation with those of the evaluation."""
        return list(zip(self.seeds, self.evaluation_seeds or self.seeds, strict=True))

    @property
    def store_location(self) -> str:
        """Where generated texts are kept."""
        return self.store or str(self.output / "generations.sqlite")
