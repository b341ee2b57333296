from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from robustrank.evaluators.hteb.generators.waits import LONGEST_WAIT, backoff, retry_after

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


def test_waits_double_up_to_a_limit_and_lose_at_most_half():
    for n_failures, full in [(1, 0.5), (2, 1.0), (5, 8.0), (9, LONGEST_WAIT), (5000, LONGEST_WAIT)]:
        waits = [backoff(0.5, n_failures, f"text {i}") for i in range(300)]
        assert full / 2 <= min(waits) < 0.55 * full
        assert 0.95 * full < max(waits) <= full


def test_a_wait_is_the_same_each_time_and_another_for_another_text():
    assert backoff(1.0, 1, "a\ud800") == backoff(1.0, 1, "a\ud800") != backoff(1.0, 1, "b")


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("3", 3.0),
        (" 0.5 ", 0.5),
        ("0", 0.0),
        ("86400", LONGEST_WAIT),
        (format_datetime(NOW + timedelta(seconds=20), usegmt=True), 20.0),
        (format_datetime(NOW - timedelta(days=1), usegmt=True), 0.0),
        (format_datetime(NOW + timedelta(days=1), usegmt=True), LONGEST_WAIT),
        ("Sun, 01 Mar 2026 12:00:07 -0000", 7.0),
        ("-5", None),
        ("nan", None),
        ("soon", None),
        ("", None),
    ],
)
def test_retry_after_is_read_as_seconds_or_date_and_capped(header, seconds):
    assert retry_after(header, NOW) == seconds
