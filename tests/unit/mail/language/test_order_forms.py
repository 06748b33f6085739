"""A reply to press is read as orders for the sender's own units, or as talk about units."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.table import COMMANDS
from judge.archive.position_json import read_position
from judge.mail.body import split
from judge.mail.reader.notation_in_press import own_orders
from judge.mail.reader.press_replies import declared_kind, read_reply
from judge.mail.reply_kind import ReplyKind
from judge.rules.rulebook import DATC
from judge.rules.types import Position
from tests.support.selection import one_in

BOARD = load_map("standard")
BUILDING = read_position(
    BOARD,
    {
        "phase": "W1901A",
        "units": {"GERMANY": ["F DEN"]},
        "centers": {"GERMANY": ["BER", "KIE", "MUN", "DEN"]},
    },
    DATC,
)


def found(text: str, position: Position = BOARD.start) -> bool:
    """Return whether the judge asks Germany before it sends *text* to England as press."""
    written = read_reply(split(text).fresh, BOARD, COMMANDS, "GERMANY", {"ENGLAND"})
    return written.too_long or bool(
        own_orders(written.rest, BOARD, position, "GERMANY")
        or written.phase
        or written.commands
        or written.others
    )


ORDERS = """
A Mun-Bur
---
a mun - bur
---
Mun-Bur
---
Munich to Burgundy
---
Munich - Burgundy
---
MUNICH -> BURGUNDY
---
Munich => Burgundy
---
Munich \u2192 Burgundy.
---
Army Munich to Burgundy
---
The army in Munich to Burgundy
---
Army in Munich moves to Burgundy
---
AMun-Bur
---
FKie-Den
---
A-Mun-Bur
---
A. Mun. - Bur.
---
(A) Mun - Bur
---
A(Mun)-Bur
---
A Munich H
---
Munich holds
---
Munich stands
---
Berlin H, Munich H, Kiel H
---
A Mun S A Ber-Sil
---
A Ber - Kie. A Mun - Ruh. F Kie - Den.
---
Munich supports Berlin to Silesia
---
Munich S Berlin - Silesia
---
F Kie C A Ber - Den
---
Thanks.
A Mun-Bur
---
Hello England,

A Mun - Bur
F Kie - Den

Regards
Hans
---
Dear England,
A Ber-Kie
---
Sounds good to me, see you in Belgium!

GERMANY
A BER-KIE
A MUN-RUH
F KIE-DEN
---
GERMANY: A Ber-Kie, A Mun-Ruh, F Kie-Den.
---
Here are my orders for Spring 1901:
Army Berlin to Kiel
Fleet Kiel to Denmark
---
Orders for Germany: Berlin to Kiel, Kiel to Denmark, Munich to Ruhr
---
My moves are A Ber-Kie, F Kie-Hol and A Mun-Ruh
---
A MUN S A BER -
SIL
---
A Ber - Kie, A Mun S
A Ber - Kie, F Kie -
Den
---
1. A Mun-Bur
2. A Ber-Kie
---
- A Mun-Bur
- A Ber-Kie
---
* Mun - Bur
---
[A Mun-Bur]
---
"A Mun-Bur"
---
**A Mun-Bur**
---
A Mun \tBur
---
A Mun Bur
---
Mun Bur
---
a mun b
---
A Mun Brugundy
---
A Mnuich - Burgundy
---
Mun-Brugundy
---
Armee München nach Burgund
---
München - Burgund
---
A München unterstützt A Berlin - Schlesien
---
Flotte Kiel nach Dänemark
---
München hält
---
Meine Züge: München nach Burgund, Kiel nach Dänemark
---
A Munich vers Bourgogne
---
Armée Munich va en Bourgogne
---
Munich soutient Berlin - Silésie
---
Flotte Kiel - Danemark
---
Mes ordres : A Ber-Kie ; A Mun-Ruh
---
Mun-Ruhr and Ber-Kie and Kie-Den
---
F Kie/Den
---
Hold everything. A Mun H.
---
\uff21 \uff2d\uff55\uff4e\uff0d\uff22\uff55\uff52
---
A M\u200bun - B\u200bur
---
A Mun \u2013 Bur
---
A Mun via convoy Bur
---
A Mun-Bur thanks a lot
---
OK.  A Mun-Bur
---
OK, A Mun-Bur
---
Sure! F Kie-Den, A Ber-Kie.
---
IF F Lon-Nth THEN A Mun-Bur ELSE A Mun H
---
Cheers, Hans

PS. A Mun-Bur
---
Build F Kie
---
Remove A Mun
---
A Mun D
---
A Mun R Ruh
---
German A Mun - Bur
---
Orders: Mun-Bur Ber-Kie Kie-Den
---
A Mun-Bur A Ber-Kie F Kie-Den
---
Army
Munich
to
Burgundy
---
I hereby order: Army Munich moves to Burgundy.
---
same as before but A Mun-Bur
---
A Mun - Bur // secret
---
Mun H Ber H Kie H
---
fleet kiel holland
---
Munich Burgundy
---
RESIGN
---
Agreed.
resign
---
Dear England,
RESIGN
---
SET DRAW
---
SIGNON Gbaltic sesame
---
JOIN baltic sesame
---
PRESS TO AUSTRIA: help me
---
PRESS TO A help me
---
To Austria: help me
---
Message to Austria:
Help me
---
Dear Austria,
help me
---
Dear England,
Dear England,
PRESS TO AUSTRIA: boo
---
Fall 1901: A Ruh-Bel
---
DIARY
note
ENDDIARY
---
PREVIEW
A Mun-Bur
---
secret text
ENDPRESS
---
A Mun -

Bur
---
Mun
-
Bur
---
Munich: hold
---
Agreed - A Mun-Bur
---
Agreed: A Mun-Bur
---
ok A Mun-Bur
---
Agreed A Mun-Bur
---
done. mun-bur ber-kie
---
Hans: A Mun-Bur
---
(my orders) A Mun-Bur
---
army munich -> bur, thanks!
---
S01: A Mun-Bur
---
Spring: A Mun - Bur
---
A Mun-Bur (as agreed)
---
Ger: A Mun-Bur
---
G: A Mun-Bur
---
Germany:
Mun-Bur
---
Kie F-Den
---
Mun A - Bur
---
Mun (A) - Bur
---
A Munich move Burgundy
---
A Mun x Bur
---
A Mun . Bur
---
A_Mun_-_Bur
---
We agreed on this:
A Mun-Bur
F Kie-Den
---
I send you my orders A Mun-Bur, F Kie-Den
---
I order A Mun-Bur and F Kie-Den
---
A Mun-Bur A Ber-Kie F Kie-Den - thank you!
---
Moves you should know
A Mun-Bur
---
We go! A Mun-Bur
---
Ich befehle: A Mun-Bur
---
Je donne mes ordres : A Mun-Bur
"""

PROSE = """
Please move Munich to Burgundy
---
Please send the fleet in Kiel to Holland
---
I move Kiel to Holland
---
Munich will support Berlin to Silesia
---
I order Munich to Burgundy
---
Ich ziehe München nach Burgund
---
Je déplace Munich en Bourgogne
---
Munich attacks Burgundy, Berlin takes Kiel
---
Kiel: Denmark
---
Kiel takes Holland
---
all units hold
---
A Mun-Bur, you can have Belgium.
---
F Kie - Den; A Mun - Ruh; what do you say
---
A Mun-Bur as we agreed
---
A Mun-Bur as you like
---
A Mun-Bur, as we said
---
A Mun-Bur, is that ok
---
My orders: I move Munich to Burgundy, and Kiel to Denmark.
---
Hello! I move Munich to Burgundy.
I move Kiel to Denmark.
Thanks!
---
Here you are: A Mun-Bur, F Kie-Den, A Ber-Kie
---
For you: A Mun-Bur
---
As promised to you: F Kie-Den
---
A Mun-Bur because you asked
---
your wish: A Mun - Bur
---
I: A Mun-Bur
---
Me: A Mun-Bur
"""

TALK = """
Mun-Bur it is.
---
Then Kie-Den it will be, good luck!
---
Hi Elisabeth,

thanks for your note. I would love to work with you against France. My plan is to take
Denmark and Holland in 1901, and I would like your fleet to support me into Belgium in
the fall. Munich worries me a bit, because Paris to Burgundy would be a real threat. Can
you keep France busy in the Channel?

Best,
Hans
---
I can support you from Kiel.
---
If you go to Norway, I will bounce Russia in Sweden.
---
Let's bounce in Burgundy: you from Paris, me from Munich.
---
You move Lon-Nth, Edi-Nwg, Lpl-Yor. I will stay out of the North Sea.
---
F Lon-Nth and A Lpl-Yor would be perfect.
---
Please order F Lon - Eng.
---
A Par-Bur is what I fear.
---
France told me A Mar S A Par-Bur. Do you believe him?
---
Do you plan F Nth C A Yor-Bel or F Nth S F Bel?
---
I have Munich, Berlin and Kiel, and I would like Denmark, Holland and Sweden.
---
What do you think of a DMZ in the North Sea?
---
Denmark is mine, Norway is yours, Sweden goes to Russia.
---
I don't want to fight. Keep Belgium, I keep Holland.
---
Why should I trust you? You took Belgium from me.
---
Wait for me, I need one more year.
---
OK
---
ok, deal
---
No thanks.
---
Never!
---
Will do.
---
See you in Moscow.
---
Sorry, I was away. I did not see your message until the deadline had passed.
---
You support Munich to Burgundy, I take it from there.
---
In fall I could move from Munich to Tyrolia if Italy leaves Venice.
---
My fleet goes to Denmark then. Yours?
---
I am moving to Denmark and hope you don't mind.
---
Italy says Austria will attack Trieste. I told them to hold.
---
Would you mind if I build a fleet in Kiel?
---
I will not build fleets, I promise. Two armies at most.
---
Can we agree on Belgium? I'd support you there from Holland next turn.
---
Lieber Engländer,
ich würde gern mit dir gegen Frankreich gehen. München ist in Gefahr, kannst du mir helfen?
Gruß Hans
---
Ich unterstütze dich aus Kiel, wenn du nach Holland gehst.
---
Einverstanden. Belgien gehört dir, ich nehme Holland und Dänemark.
---
Kommst du mit nach Schweden?
---
Merci pour ton message. Je te laisse la Belgique si tu me laisses la Hollande.
---
D'accord. On se retrouve à Paris !
---
Je ne ferai rien contre toi à Kiel, promis.
---
Dear all,
I will be away next week.
---
I'm thinking about Mun-Bur, but it depends on what you do.
---
My options are A Mun-Bur, A Mun-Tyr or A Mun H. Which one do you like?
---
How about this: you do F Lon-Eng, I do A Mun-Bur?
---
I promise that Munich stays out of Burgundy.
---
We could convoy together, e.g. F Nth C A Yor-Den.
---
You said "A Mun-Bur would be a mistake". I agree.
---
I bet France moves Par-Bur and Mar S Par-Bur.
---
Turkey is lying to you: he told me he would take Sevastopol.
---
2 vs 1, we win.
---
Great move!
---
I hold the line in the west while you march east.
---
As agreed, I support your fleet into Belgium. Good luck!
---
Hey, how are things? I am from Berlin, by the way, and work in Munich.
---
When does the deadline end? I think it is Friday.
---
Let me know by tomorrow, I have to send my orders in the evening.
---
Austria and Italy are allied. We must stop them before they get Munich.
---
Happy birthday!
---
My last word: stay out of the Baltic Sea or I will come to London.
---
I need help in Munich. Two French armies are next to it, in Burgundy and Ruhr.
---
One for you, one for me
---
(Sent in haste) Yes to all three.
---
I will move to Burgundy if you support me from Munich; Marseilles is yours
---
Agreed.
---
Yes!
I am in. Let me know about Belgium.
---
I'll move Munich to Burgundy and you can have Belgium.
---
Munich will support Berlin to Silesia, and I hope you stay out of Warsaw.
---
I could support you from Munich to Burgundy.
---
Would you like me to order A Mun S A Par-Bur?
---
I plan A Mun-Ruh, then A Ruh-Bel with your support.
---
You order A Par-Bur, I support from Munich.
---
Your fleet in Brest should go to the Channel. My army in Munich stays where it is.
---
Munich is mine, Paris is yours.
---
I moved Munich to Burgundy last year because you lied.
---
Why did you move Par-Bur?
---
F Kie-Den and F Kie-Hol are both possible, which do you prefer?
---
Ich ziehe München nach Burgund, wenn du mich unterstützt.
---
Je vais à Munich si tu me soutiens.
---
Please support A Mun - Bur from Paris.
---
Can you order A Par S A Mun-Bur?
---
A Par-Bur, F Bre-Eng would be great.
---
Hold on. I need to think about Munich.
---
Thanks, Berlin is all yours if you give me Warsaw
---
No.
---
Ready when you are.
---
From Berlin with love
---
Press on!
---
Join us!
---
Join us
---
Help Austria
---
Why did you move?
---
Italy, join us
---
France, Italy and Russia are against us.
---
Tell Italy that I said hello.
---
Austria: I told him nothing.
---
Fall 1901:
You go to Belgium, I support.
---
YES
---
Summary of what I think:
Russia is strong.
---
Dear England,
thank you.
---
Hi all,
merry Christmas!
"""


def parts(texts: str) -> list[str]:
    return [text.strip("\n") for text in texts.split("\n---\n")]


@pytest.mark.parametrize("text", parts(ORDERS))
def test_orders_of_the_writers_own_units_are_never_sent_unasked(text: str) -> None:
    assert found(text)


@pytest.mark.parametrize("text", parts(PROSE))
def test_only_notation_that_addresses_nobody_is_asked_about(text: str) -> None:
    assert not found(text)


@pytest.mark.parametrize("text", parts(TALK))
def test_talk_about_units_is_sent_without_a_question(text: str) -> None:
    assert not found(text)


def calls_of(read: Callable[[], object]) -> int:
    """Count the calls of functions that *read* takes: the same on every machine."""
    counted = 0

    def count(_frame: object, event: str, _of: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        read()
    finally:
        sys.setprofile(None)
    return counted


HOSTILE = (
    *(
        "ENDPRESS",
        "PRESS TO A",
        "BROADCAST",
        "ORDERS",
        "ENDORDERS",
        "To Austria:",
        "Dear England,",
    ),
    *("A Mun-Bur", "A Mun S", "Munich to", "IF A Par-Bur THEN", "(", "> x", "-- ", "POWER:", ","),
    *("PREVIEW", "Fall 1901:", "2026-11-23", "RESIGN", "DIARY", "and", "i", "A", "Mun", "|", ":"),
)


@pytest.mark.parametrize(
    ("between", "spare"),
    [
        pytest.param("\n", 2_000, id="lines"),
        pytest.param(" ", 12_000, id="one line", marks=pytest.mark.gate),  # little of it is read
    ],
)
@pytest.mark.parametrize("word", one_in(4, HOSTILE))
def test_a_reply_to_press_is_examined_in_linear_time(word: str, between: str, spare: int) -> None:
    def calls(times: int) -> int:
        return calls_of(lambda: found((word + between) * times))

    found(word)
    few, many = calls(30), calls(60)  # in this order: what the first reads may be remembered

    assert many <= 2.5 * few + spare


def test_an_order_for_a_unit_that_nobody_else_has_may_be_for_one_of_the_writers() -> None:
    assert found("Agreed!\n\nA Gal S A War-Sil")
    assert not found("Agreed!\n\nA Par S A Mar-Bur")


@pytest.mark.parametrize("text", ["F Kie", "Build A Mun", "A Ber, F Kie", "Kiel: build fleet"])
def test_builds_are_orders_too(text: str) -> None:
    assert found(text, BUILDING)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("PRESS", ReplyKind.PRESS),
        ("Press to England.", ReplyKind.PRESS),
        ("\nAls Nachricht bitte", ReplyKind.PRESS),
        ("orders", ReplyKind.ORDERS),
        ("No, orders!", ReplyKind.ORDERS),
        ("Press? No: orders, not press", None),
        ("keine Presse, Befehle", ReplyKind.ORDERS),
        ("pas une lettre", None),
        ("Züge", ReplyKind.ORDERS),
        ("Press or orders?", None),
        ("No", ReplyKind.NEITHER),
        ("Weder noch", ReplyKind.NEITHER),
        ("Yes", None),
        ("", None),
        ("I think that this was meant as press but I may be wrong about it all", None),
    ],
)
def test_one_word_says_what_a_reply_was_meant_as(text: str, meant: ReplyKind | None) -> None:
    assert declared_kind(split(text).fresh) is meant


@pytest.mark.parametrize("more", ["chat\n" * 500, "Let us talk. " * 2000])
def test_a_reply_too_long_to_be_examined_is_asked_about(more: str) -> None:
    assert found(f"{more}\nA Mun-Bur")
