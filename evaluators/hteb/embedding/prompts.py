"""Which prompt a model wants before the texts of a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robustrank.errors import ParameterError, unknown_label
from robustrank.evaluators.hteb.records import MTEB_TYPES, TASK_TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from robustrank.evaluators.hteb.records import TaskType
    from robustrank.evaluators.hteb.scoring.base import Role

    #: Task type → role → name of a prompt, or None for no prompt.
    PromptNames = Mapping[str, Mapping[str, str | None]]

#: What HTEB calls otherwise than MTEB, whose names the prompts of models go by.
_DATASETS = {
    "banking77": "Banking77Classification",
    "twittersemeval2015-pairclassification": "TwitterSemEval2015",
    "askubuntudupquestions-reranking": "AskUbuntuDupQuestions",
    "arguana": "ArguAna",
    "semrel2024": "SemRel24STS",
    "biosses-sts": "BIOSSES",
    "stsbenchmark-sts": "STSBenchmark",
    "summeval": "SummEval",
    "rte3": "RTE3",
    "sts17-crosslingual-sts": "STS17",
}
#: Names of a role's prompt, in order of preference.
_ROLES: dict[str, tuple[str, ...]] = {
    "text": (),
    "query": ("query",),
    "document": ("document", "passage", "corpus"),
}


def find_prompt(
    prompts: Mapping[str, str],
    task_type: TaskType,
    dataset: str,
    role: Role,
    *,
    names: PromptNames | None = None,
    default: str | None = None,
) -> str:
    """Return the prompt for a text; empty if there is none.

    Parameters
    ----------
    prompts : mapping of str to str
        Name → prompt: what the user gave, else what the model brings along.
    task_type, dataset, role : str
    names : mapping, optional
        What HTEB 1.1 calls ``prompt_names``: where it has an entry for the task type and the role,
        this decides.
    default : str, optional
        The name of the prompt for everything that has none of its own.

    Notes
    -----
    The order is MTEB's: dataset and role (``"ArguAna-query"``), dataset, task type and role
    (``"Retrieval-query"``), task type, role. A dataset may go by the name that it has here or by
    that of MTEB.
    """
    chosen = (names or {}).get(task_type, {})
    if role in chosen:
        name = chosen[role]
        return "" if name is None else prompts[name]
    subjects = (dataset, _DATASETS.get(dataset, dataset), MTEB_TYPES[task_type])
    candidates = [
        key
        for subject in subjects
        for key in (*(f"{subject}-{alias}" for alias in _ROLES[role]), subject)
    ]
    candidates += [*_ROLES[role], *([default] if default is not None else [])]
    return next((prompts[key] for key in candidates if key in prompts), "")


def check_prompt_names(names: PromptNames, prompts: Mapping[str, str], model: str) -> None:
    """Raise if ``prompt_names`` has a task type, a role or a prompt that does not exist."""
    for task_type, by_role in names.items():
        if task_type not in TASK_TYPES:
            raise unknown_label(f"task type in prompt_names of {model!r}:", task_type, TASK_TYPES)
        for role, name in by_role.items():
            if role not in _ROLES:
                raise unknown_label(f"role in prompt_names of {model!r}:", role, _ROLES)
            if name is not None and name not in prompts:
                known = ", ".join(sorted(prompts)) or "none"
                raise ParameterError(
                    f"prompt_names of {model!r} names the prompt {name!r} for {task_type}, which "
                    f"is not among its prompts ({known}). Add it under prompts.",
                    [model, name],
                )
