"""Text for people: what comes from outside made safe to show, shares in per cent."""


def printable(text: str) -> str:
    """Replace line breaks and control characters, which would break a table or drive a terminal."""
    return "".join(char if char.isprintable() else " " for char in text)


def percent(share: float) -> str:
    """Put a share in whole per cent, which says neither none nor all of what is only close."""
    if 0.0 < share < 0.01:
        return "under 1%"
    if 0.99 < share < 1.0:
        return "over 99%"
    return f"{share:.0%}"
