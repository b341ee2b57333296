"""Real sentences about a few things, to build small tasks from."""

from __future__ import annotations

TOPICS = {
    "cooking": [
        "Simmer the lentils for half an hour before adding the spinach.",
        "A pinch of salt brings out the sweetness of ripe tomatoes.",
        "Knead the dough until it no longer sticks to your fingers.",
        "She fried the onions slowly until they were golden.",
        "Let the soup rest overnight; the flavour improves.",
        "The recipe calls for two eggs and a cup of flour.",
        "Grill the aubergines on both sides and peel them.",
        "Fresh basil should be added at the very end.",
        "My grandmother's bread was baked in a wood oven.",
        "Whisk the cream until soft peaks form.",
        "Roast the peppers until their skin turns black.",
        "The cake sank because the oven was opened too early.",
    ],
    "football": [
        "The striker scored twice in the final ten minutes.",
        "The referee showed a red card after the tackle.",
        "Supporters sang until long after the final whistle.",
        "The goalkeeper saved a penalty in extra time.",
        "They were relegated after losing at home on Sunday.",
        "The coach changed the whole midfield at half time.",
        "A draw was enough to win the league.",
        "The captain will miss the match through injury.",
        "The stadium holds sixty thousand people.",
        "He was transferred to a club in the second division.",
        "The defender headed the ball off the line.",
        "Their away record this season is dreadful.",
    ],
    "weather": [
        "Heavy rain is expected along the coast tonight.",
        "Temperatures fell below zero for the first time this winter.",
        "Thick fog closed the airport for several hours.",
        "The storm tore roofs off houses in the village.",
        "It will be sunny with a light breeze from the west.",
        "Snow blocked the mountain pass for three days.",
        "A drought has emptied the reservoirs.",
        "Lightning struck the church tower during the night.",
        "The forecast promises showers towards the evening.",
        "Hail the size of walnuts damaged the vineyards.",
        "The heat wave broke every record since 1950.",
        "Clouds gathered quickly over the hills.",
    ],
    "music": [
        "The violinist tuned her instrument before the concert.",
        "The choir rehearsed the requiem for six weeks.",
        "He learned to play the piano at the age of five.",
        "The drummer kept a steady rhythm throughout.",
        "Their new album was recorded in an old chapel.",
        "The orchestra played the symphony without a pause.",
        "She wrote the song on a train to Lisbon.",
        "The guitar solo lasted almost four minutes.",
        "A quartet performed in the castle garden.",
        "The audience asked for an encore three times.",
        "The singer lost her voice the day before the premiere.",
        "Jazz was played in every bar of the street.",
    ],
}

#: Pairs with a rating of how alike they are, 0 to 5.
PAIRS = [
    ("A man is playing a guitar.", "Someone plays the guitar.", 4.6),
    ("A man is playing a guitar.", "A woman is slicing an onion.", 0.2),
    ("The cat sleeps on the sofa.", "A cat is lying asleep on the couch.", 4.5),
    ("The cat sleeps on the sofa.", "The dog runs in the garden.", 1.1),
    ("Two children build a sandcastle.", "Kids are playing with sand on the beach.", 3.4),
    ("Shares fell sharply on Monday.", "The stock market dropped at the start of the week.", 4.1),
    ("Shares fell sharply on Monday.", "The bread is baked on Mondays.", 0.4),
    ("She bought a new bicycle.", "He sold his old car.", 1.3),
    ("The train to Vienna is late.", "The Vienna train has a delay.", 4.8),
    ("The train to Vienna is late.", "The bus to Graz leaves early.", 1.9),
    ("Scientists found a new frog species.", "A previously unknown frog was discovered.", 4.2),
    ("Scientists found a new frog species.", "Researchers study the behaviour of frogs.", 2.5),
    ("It rains cats and dogs.", "It is raining very hard.", 3.9),
    ("The museum opens at nine.", "Doors of the museum open at 9 o'clock.", 4.4),
    ("The museum opens at nine.", "The museum closes at six.", 2.2),
    ("He forgot his umbrella.", "An umbrella protects from rain.", 1.2),
]


def labelled() -> tuple[list[str], list[int]]:
    """All sentences with the number of their topic."""
    texts = [text for group in TOPICS.values() for text in group]
    labels = [number for number, group in enumerate(TOPICS.values()) for _ in group]
    return texts, labels
