"""What is done about a text that went wrong: another try, drawn in another way, or none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, get_args

from robustrank.errors import ParameterError, check_count, unknown_label
from robustrank.evaluators.hteb.generators.base import Failure, Sampling
from robustrank.evaluators.hteb.hashing import digest
from robustrank.evaluators.hteb.texts.cleaning import Defect
from robustrank.evaluators.hteb.texts.quality import ERROR_TYPES, Reading, Words

if TYPE_CHECKING:
    from collections.abc import Collection

#: An output that the limit of tokens cut off.
LENGTH = "length"
#: What can be wrong with a text that a generator did return.
REASONS: tuple[str, ...] = tuple(dict.fromkeys([*ERROR_TYPES, *get_args(Defect), LENGTH]))

# From the first that applies to the last; all else is an invalid text.
_V1_1_REASONS: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"prompt_too_long"}), "prompt_too_long"),
    (frozenset(get_args(Failure)), "backend_failure"),
    (frozenset({LENGTH}), "output_length_after_retries"),
    (frozenset({"invalid_json"}), "invalid_json_after_retries"),
)


@dataclass(frozen=True)
class Policy:
    """Which errors are worth another try, and which a text must not have in the end.

    Attributes
    ----------
    retry : frozenset of str
        Some of `REASONS`.
    reject : frozenset of str
        A text that still has one of these counts as not transformed. An identical text is kept by
        default: it may be the right back-translation, and is counted as unchanged.
    max_retries : int
    temperatures : tuple of float
        The least temperature of the first retry, the second and so on, the last for all others.
    most_tokens : int
        How far `max_tokens` is doubled after outputs that were cut off.
    reading : {"practical", "paper"}
    words : {"scripts", "whitespace"}
        How errors are found on which something is done; see `quality.find_errors`.
    """

    retry: frozenset[str] = frozenset(REASONS)
    reject: frozenset[str] = frozenset(REASONS) - {"identical"}
    max_retries: int = 3
    temperatures: tuple[float, ...] = (0.7, 1.0)
    most_tokens: int = 4096
    reading: Reading = "practical"
    words: Words = "scripts"

    def __post_init__(self) -> None:
        for name, reasons in (("retry", self.retry), ("reject", self.reject)):
            for reason in sorted(reasons - set(REASONS)):
                raise unknown_label(f"reason to {name}", reason, REASONS)
        check_count("max_retries", self.max_retries, 0)
        check_count("most_tokens", self.most_tokens, 1)
        if not self.temperatures or min(self.temperatures) <= 0:
            raise ParameterError(
                "temperatures of retries must be above 0, or a retry would repeat the same output; "
                f"got {self.temperatures!r}."
            )

    def should_retry(self, reasons: Collection[str], *, attempt: int) -> bool:
        """Return whether to try again after attempt number `attempt`, the first being 0."""
        return attempt < self.max_retries and not self.retry.isdisjoint(reasons)

    def is_rejected(self, reasons: Collection[str]) -> bool:
        """Return whether a text with these errors must not be used."""
        return not self.reject.isdisjoint(reasons)

    def retry_sampling(
        self, sampling: Sampling, *, attempt: int, reasons: Collection[str]
    ) -> Sampling:
        """Return how to draw the text this time; never in a way that repeats the last output.

        An output that was cut off first gets twice the tokens and is else drawn as before.
        Otherwise the seed is new, a hash that no run's own seed comes near, and the temperature is
        at least that of `temperatures`.

        Parameters
        ----------
        sampling : Sampling
            That of the attempt before.
        attempt : int
            The number of this attempt; number 0 is the first, and as the profile says.
        reasons : collection of str
            What was wrong with the attempt before.
        """
        if attempt == 0:
            return sampling
        longer = min(2 * sampling.max_tokens, self.most_tokens)
        if LENGTH in reasons and longer > sampling.max_tokens:
            sampling = replace(sampling, max_tokens=longer)
            if attempt == 1:
                return sampling
        least = self.temperatures[min(attempt, len(self.temperatures)) - 1]
        bits = int(digest({"attempt": attempt, "seed": sampling.seed})[:16], 16)
        return replace(
            sampling,
            temperature=max(sampling.temperature, least),
            top_k=None if sampling.top_k == 1 else sampling.top_k,  # 1 is greedy at any temperature
            seed=2**30 + bits % 2**30,
        )


def v1_1_reason(reasons: Collection[str]) -> str:
    """Return HTEB 1.1's one reason why a text fell back to the original.

    Parameters
    ----------
    reasons : collection of str
        Some of `REASONS` or a `Failure` of the generator.
    """
    for group, name in _V1_1_REASONS:
        if not group.isdisjoint(reasons):
            return name
    return "invalid_text_after_retries"
