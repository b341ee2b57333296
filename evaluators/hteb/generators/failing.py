"""When a generator is down: it leaves so many requests in a row unanswered that it is no chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robustrank.errors import InputError

if TYPE_CHECKING:
    from robustrank.evaluators.hteb.generators.base import Generator, Response

#: Requests in a row that a generator may leave unanswered before the run stops.
MOST_FAILURES = 50


class GeneratorDownError(InputError):
    """A generator stopped answering."""


class FailuresInARow:
    """Counts the requests that a generator left unanswered since it last answered.

    Parameters
    ----------
    generator : Generator
        It may leave `MOST_FAILURES` unanswered, or one for each that it can work on at once, if
        that is more.
    """

    def __init__(self, generator: Generator) -> None:
        self._model = generator.model
        self._most = max(MOST_FAILURES, generator.concurrency)
        self._number = 0

    def see(self, response: Response) -> None:
        """Count a response.

        Raises
        ------
        GeneratorDownError
            If it is one failure too many. A prompt that is too long is none of the generator's.
        """
        down = response.failure not in (None, "prompt_too_long")
        self._number = self._number + 1 if down else 0
        if self._number >= self._most:
            raise GeneratorDownError(
                f"{self._model} left {self._number} requests in a row unanswered, the last one "
                f"with {response.failure}: {response.detail} Every answer so far is kept; see to "
                "the server and start again to go on.",
                [self._model],
            )
