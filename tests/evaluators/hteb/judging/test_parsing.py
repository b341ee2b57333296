from __future__ import annotations

import pytest

from robustrank.evaluators.hteb.judging.parsing import parse_rating


@pytest.mark.parametrize(
    "answer",
    [
        "4",
        " 4\n",
        "4.",
        "4.0",
        "(4)",
        "4/5",
        "4 / 5",
        "4 out of 5",
        "**4**",
        "Rating: 4",
        "**Rating:** 4/5",
        "Score=4",
        "- 4",
        '{"rating": 4}',
        '{"Rating": "4/5"}',
        '{"score": 4.0}',
        '```json\n{"rating": 4, "reason": "2 words differ"}\n```',
        "I would rate this 4 out of 5.",
        "On a scale of 1 to 5, I give it a 4.",
        "4 (out of 5)",
        "4 stars out of 5",
        "4/5 stars",
        "4 stars",
        "4 - it does the task, with a small flaw",
        "4: a small flaw",
        "My rating is 4, since 2 words are lost.",
        "Rating: 4/5 because 1 thing is lost",
        "1. It adds a fact.\n2. It loses one.\nRating: 4",
        '{"rating": 4, "score": "4/5"}',
        "4 (1-5)",
        "4\n\nThe 2 sentences mean the same.",
        "The 2 sentences mean the same.\nFinal rating: **4**",
        "4. I repeat: 4.",
        "<think>Maybe 3, or 2?</think>\n4",
        "４",  # full width, as in Chinese and Japanese texts
    ],
)
def test_a_rating_is_found_whatever_is_around_it(answer):
    assert parse_rating(answer) == 4


@pytest.mark.parametrize(
    "answer",
    [
        "",
        " \n",
        "Good!",
        "four",
        "0",
        "6",
        "44",
        "-4",
        "−4",
        "4.5",
        "4,5",
        "4.5/5",
        "1.2.3",
        "1-5",
        "from 1 to 5",
        "3-4",
        "2 of 5 words are other ones",
        "4 of 5",
        "3 or 4",
        "4\n5",
        "The rewritten text adds 3 details.",
        "3 details are added.",
        "I am sorry, I cannot rate this. Step 1 is missing.",
        "I would not give it a 5.",
        "I would give it a 5 if it kept the date.",
        "A rating of 5 would be too high.",
        "It is in 1 language",
        "5: in full\n4: with a flaw",
        "1. The text is",
        "1) The text is",
        "4 - good\nRating: 5",
        "4 or 5",
        "Rating: 4 or 5",
        "Rating: 4 ± 1",
        "The score is 5 - 1 = 4",
        "Rating: -4",
        '{"rating": 3, "rating": 5}',
        '{"rating": 4, "score": 2}',
        '{"rating": null, "score": 4}',
        '{"rating": {"value": 4}}',
        '[{"rating": 4}, {"rating": 2}]',
        "4\nRating: 5",
        "Rating: 3\nScore: 4",
        "4/10",
        "80%",
        "4%",
        "4th",
        "1e0",
        "9" * 5000,
        '{"rating": null}',
        '{"rating": true}',
        '{"rating": 4.5}',
        '{"rating": 6}',
        '{"rating": [4]}',
        '{"rating": NaN}',
        '{"rating": Infinity}',
        '{"rating": 3} {"rating": 4}',
        "{" * 100_000,
        "<think>The rating is 4",
    ],
)
def test_what_is_not_one_whole_number_from_1_to_5_is_no_rating(answer):
    assert parse_rating(answer) is None


@pytest.mark.parametrize("rating", [1, 2, 3, 4, 5])
def test_each_rating_is_itself(rating):
    assert parse_rating(str(rating)) == rating
    assert parse_rating(f"{rating}/5") == rating
    assert parse_rating(f'{{"rating": {rating}}}') == rating
