"""Reduce the HTML of an email to what its reader sees: no hidden text, and quotes marked.

Style sheets in the email hide text as the style of a tag does. Text that can hardly be seen, or is
struck through, is removed too, and its lines are returned.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from judge.mail.html_text import Tree

UNSEEN = (
    *("script", "style", "head", "template", "noscript", "object", "svg", "title"),
    *("textarea", "iframe", "select", "audio", "video", "canvas"),
    *("noembed", "noframes", "datalist", "progress", "meter", "rp", "annotation"),
)
FOLDED = ("details", "dialog")
HIDDEN = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|mso-hide:all"
    r"|(?:font-size|opacity|max-height|max-width):0(?![.\d]*[1-9])",
    re.IGNORECASE,
)
# Nobody can read this either, unless a style elsewhere says otherwise: it is shown, not obeyed.
HARDLY_SEEN = re.compile(
    r"font-size:(?:calc\(0|(?:0?\.\d+|[12](?:\.\d+)?)(?:px|pt)|0?\.[0-3]\d*r?em|1?\d(?:\.\d+)?%)"
    r"|(?<![-\w])font:[a-z-]*(?:0|(?:0?\.\d+|1(?:\.\d+)?)(?:px|pt))(?=/|[a-z])"
    r"|line-height:0(?![.\d])|opacity:0?\.0\d*|(?<![-\w])(?:display|visibility|opacity|font-size):var\("
    r"|(?:text-indent|margin-(?:left|top)|margin|letter-spacing):(?:-|calc\(-(?:\d\*)?)\d{3}"
    r"|(?:text-indent|(?:margin|padding)-(?:left|top)):\d{4}|text-indent:100%|letter-spacing:-(?:[1-9]|0?\.[5-9])\d*(?:\.\d+)?em"
    r"|(?<![-\w])(?:max-)?(?:height|width):[01](?:px)?(?:;|!|$)",
    re.IGNORECASE,
)
# Nothing else hides text; of any other declaration the judge does not know.
HARMLESS = re.compile(
    r"(?:-(?:webkit|moz|ms|o)-)?(?:"
    r"(?:mso|font|background|border|margin|padding|list-style|outline|overflow|page|column|flex|grid"
    r"|align|justify|scrollbar|text-(?:align|decoration|transform|size-adjust|justify|indent|underline"
    r"|rendering|autospace|wrap|fill-color|combine)|white-space|box-s|break|tap-highlight|hyphen)"
    r"|(?:(?:caret-|accent-)?color|(?:supported-)?color-schemes?|line-height|letter-spacing"
    r"|(?:word|overflow|line)-(?:wrap|break)|nbsp-mode|line-break|vertical-align|direction|unicode-bidi"
    r"|writing-mode|display|visibility|(?:min-|max-)?(?:width|height)|opacity|float|clear|table-layout"
    r"|empty-cells|caption-side|orphans|widows|tab-size|quotes|cursor|gap|order|size|resize|user-select"
    r"|user-modify|appearance|object-fit|aspect-ratio|transition|will-change|pointer-events|src|panose-1"
    r"|unicode-range|layout-grid-\w+|punctuation-wrap|counter-\w+|interpolation-mode|content):"
    r"|position:(?:static|relative)|(?:left|right|top|bottom|text-stroke(?:-width)?|word-spacing):0"
    r"|zoom:1(?:00%)?$|z-index:\d|[a-z-]+:(?:none|auto|normal|initial|inherit|unset)(?:!|$))"
    r"|--|$",
    re.IGNORECASE,
)
COLOR = re.compile(r"(?<![-\w])(?:-webkit-text-fill-)?color:([^;!]{1,60})", re.IGNORECASE)
BACKGROUND_COLOR = re.compile(r"background(?:-color)?:([^;!]{1,60})", re.IGNORECASE)
NEARLY_WHITE = re.compile(
    r"f{6}|white(?:smoke)?|snow|ivory|ghostwhite|mintcream|azure|floralwhite"
    r"|#(?:f{3}f?|(?:f[\da-f]){3,4})"
    r"|rgba?\((?:(?:2[45]\d|100%)[,/]?){3}.*\)"
    r"|hsla?\(.*?(?:9[5-9]|100)%.*\)",
    re.IGNORECASE,
)
RGB = re.compile(r"rgba?\((\d{1,3}),(\d{1,3}),(\d{1,3})(?:,1)?\)")
NAMED_COLORS = {
    "aqua": "#00ffff",
    "black": "#000000",
    "blue": "#0000ff",
    "fuchsia": "#ff00ff",
    "gray": "#808080",
    "green": "#008000",
    "lime": "#00ff00",
    "maroon": "#800000",
    "navy": "#000080",
    "olive": "#808000",
    "purple": "#800080",
    "red": "#ff0000",
    "silver": "#c0c0c0",
    "teal": "#008080",
    "white": "#ffffff",
    "yellow": "#ffff00",
}
NO_COLORS = ("", "inherit", "initial", "unset", "currentcolor")
TRANSPARENT = re.compile(
    r"transparent|#[\da-f]{3}0|#[\da-f]{6}0[\da-f]"
    r"|(?:rgb|hsl)a?\((?:(?:[^,/]*,){3}|[^,/]*/)(?:0?\.0\d*|0)%?\)",
    re.IGNORECASE,
)
BACKGROUND = re.compile(
    r"background(?:-color|-image)?:(?!white|none|transparent|#f{3}\b|#f{6}\b)", re.IGNORECASE
)
IMPORTED = re.compile(r"@import([^;}]*)", re.IGNORECASE)  # a style sheet that the judge has not
CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
ESCAPED = re.compile(r"\\([\da-fA-F]{1,6})\s?")
ANY_OF = re.compile(r":(?:is|where|any|matches|-webkit-any|-moz-any)\(([^()]*)\)", re.IGNORECASE)
AT_RULE = re.compile(r"@([\w-]{1,30}+)([^{};]{0,200}+)\{((?:[^{}]*\{[^{}]*\})*)[^{}]*\}")
HOLDS_RULES = frozenset(("media", "supports", "layer", "container"))
FOR_ALL = re.compile(r"\s*(?:only\s+)?(?:all|screen)\s*", re.IGNORECASE)
FOR_SOME = re.compile(r"max-|print|prefers|speech|orientation|handheld", re.IGNORECASE)
STYLE_MAX = 100_000  # characters of style sheets in one email that are looked at
# What a selector says of one element: its name, classes, id, fields and pseudo-classes.
SELECTED = re.compile(r"[.#]?[\w-]+|\*|\[[\w-]*=?\]|::?[\w-]+(?:\(\))?")
FIELD = re.compile(r"\[([\w-]*)([^\[\]]*)\]")  # and what its value must be
ARGUMENT = re.compile(r"\([^()]*\)")
BETWEEN_ELEMENTS = re.compile(r"[>+~\s]+")
# A state of the reader's program, or what is no text of the email.
WHILE_READ = re.compile(
    r"::|:(?:hover|focus|active|visited|link|before|after|target|checked)\b", re.IGNORECASE
)
PERHAPS_HIDDEN = "font-size:1px"  # as a rule hides it that the judge cannot follow
QUOTE_MARK = ">\N{THIN SPACE}"  # unlike marks that mail programs write
# How Gmail, Yahoo, Thunderbird, Proton, Zoho and Outlook wrap a quoted email.
QUOTE_CLASSES = frozenset(
    (
        *("gmail_quote", "gmail_attr", "yahoo_quoted", "moz-cite-prefix"),
        *("moz-forward-container", "protonmail_quote", "zmail_extra", "OutlookMessageHeader"),
        *("gmail_quote_attribution",),
    )
)
# How Gmail and Apple Mail indent new text; their quotes have a class, a type or a border.
INDENTED = re.compile(r"border(-left)?:(none|0)", re.IGNORECASE)
# How they wrap a signature; in HTML, text below a signature is read.
MARKED_CLASSES = QUOTE_CLASSES | {
    *("gmail_signature", "moz-signature", "protonmail_signature_block", "k9mail-signature")
}
SIGNATURE_NAMES = frozenset(("messageSignatureSection",))
MARKED_IDS = frozenset(
    (
        *("Signature", "ms-outlook-mobile-signature", "composer_signature"),
        *("ymail_android_signature", "mail-editor-reference-message-container"),
        "OLK_SRC_BODY_SECTION",
    )
)
STRUCK = ("s", "del", "strike")
STRUCK_STYLE = re.compile(r"text-decoration(-line)?:[^;]*line-through", re.IGNORECASE)
LEVELS_MAX = 3  # of quotes in quotes that are told apart
LISTS = {"ul": "div", "ol": "div", "li": "p"}  # A bullet is not part of an order.


class TooMuchMarkupError(ValueError):
    """Reading the HTML would take seconds, or would lose a part of it."""


def visible_tree(source: str) -> Tree | None:
    """Parse *source* and keep the parts to read; None if there are none."""
    from lxml import etree  # noqa: PLC0415 - for the sandbox, not its daemon

    parser = etree.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True
    )
    tree: Tree | None = etree.fromstring(source.encode(), parser)
    if tree is None:
        return None
    if any(each.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for each in parser.error_log):
        raise TooMuchMarkupError  # It is cut off where its tags are nested too deep.
    _write_styles_into_tags(tree)
    styled = tree.xpath("//*[@style]")
    hidden = [each for each in styled if "hidden" in _looks_of(each.get("style"))]
    for element in dict.fromkeys((*tree.iter(*UNSEEN), *tree.xpath("//*[@hidden]"), *hidden)):
        if element is not tree:
            _drop(element)
    for element in list(tree.iter(*LISTS)):
        element.tag = LISTS[element.tag]
    return tree


def mark_quotes(tree: Tree, render_quote: Callable[[Tree], str]) -> None:
    """Replace each quoted part by its text (by *render_quote*), with `>` before each line.

    One grammar then splits plain text and HTML, and text between two quotes stays.
    """
    for element in _outermost_quotes(tree):
        _mark(element, render_quote)


def pictures_in(tree: Tree) -> tuple[tuple[str, str], ...]:
    """Return the source and the description of each picture that the email brings along."""
    found = ((each.get("src", "").strip(), each.get("alt", "")) for each in tree.iter("img"))
    return tuple((source, alt) for source, alt in found if source.startswith(("cid:", "data:")))


def remove_struck(tree: Tree) -> tuple[str, ...]:
    """Remove the struck-through parts of *tree*, and return their lines."""
    styled = tree.xpath(".//*[@style]")
    struck = [each for each in styled if "struck" in _looks_of(each.get("style"))]
    return _removed([*tree.iter(*STRUCK), *struck])


def remove_unseen(tree: Tree) -> tuple[str, ...]:
    """Remove the text of *tree* that its reader could not see, and return its lines."""
    unseen: list[Tree] = []
    white: list[Tree] = []
    colors: list[tuple[Tree, str]] = []
    grounds: dict[Tree, str] = {}
    for element in tree.iter():
        fields = element.attrib
        looks = _looks_of(fields["style"]) if "style" in fields else frozenset()
        is_folded = element.tag in FOLDED and "open" not in fields
        if "hardly seen" in looks or is_folded or "popover" in fields:
            unseen.append(element)
        elif "white" in looks or any(
            NEARLY_WHITE.fullmatch(fields[each]) for each in ("color", "text") if each in fields
        ):
            white.append(element)
        for look in looks:
            if look.startswith("on "):
                grounds[element] = look[3:]
            elif look.startswith("in ") and "white" not in looks:
                colors.append((element, look[3:]))
        if "bgcolor" in fields:
            grounds.setdefault(element, _shade(fields["bgcolor"].lower()))
    shown = {*grounds.values()}
    unseen += [
        each for each, color in colors if color in shown and _ground_of(each, grounds) == color
    ]
    known: dict[Tree, bool] = {}
    return _removed([*unseen, *(each for each in white if not _is_in(each, _is_colored, known))])


def _ground_of(element: Tree | None, grounds: dict[Tree, str]) -> str:
    """Return the color that *element* is on; *grounds* has those that are known."""
    path: list[Tree] = []
    while element is not None and element not in grounds:
        path.append(element)
        element = element.getparent()
    ground = grounds[element] if element is not None else ""
    grounds.update(dict.fromkeys(path, ground))
    return ground


def _removed(elements: Sequence[Tree]) -> tuple[str, ...]:
    lines: list[str] = []
    sought = dict.fromkeys(elements)
    known: dict[Tree, bool] = {}
    for element in [
        each for each in sought if not _is_in(each.getparent(), sought.__contains__, known)
    ]:
        lines += [" ".join(text.split()) for text in element.itertext()]
        if element.getparent() is None:
            element.clear()
        else:
            _drop(element)
    return tuple(line for line in lines if line)


def _drop(element: Tree) -> None:
    """Remove *element* and all in it, but not the text behind it."""
    parent, above = element.getparent(), element.getprevious()
    if parent is None:
        return
    if above is None:
        parent.text = (parent.text or "") + (element.tail or "")
    else:
        above.tail = (above.tail or "") + (element.tail or "")
    parent.remove(element)


LOOKS = frozenset(("hidden", "hardly seen", "white", "struck"))
STYLE_KNOWN_MAX = 2_000  # characters of a style that is kept


def _looks_of(style: str) -> frozenset[str]:
    """Return which of `LOOKS` *style* has, and its colors; emails repeat their styles."""
    return _known_looks(style) if len(style) <= STYLE_KNOWN_MAX else _looks(style)


def _looks(style: str) -> frozenset[str]:
    style = "".join(_unescaped(CSS_COMMENT.sub("", style)).split())
    color, ground = (_last_color(each, style) for each in (COLOR, BACKGROUND_COLOR))
    unseen = color not in NO_COLORS and (color == ground or TRANSPARENT.fullmatch(color))
    looks = {
        "hidden": HIDDEN.search(style),
        "hardly seen": unseen or HARDLY_SEEN.search(style) or not _is_harmless(style),
        "white": NEARLY_WHITE.fullmatch(color),
        "struck": STRUCK_STYLE.search(style),
    }
    written = {f"in {_shade(color)}"} if color not in NO_COLORS else set()
    written |= {f"on {_shade(ground)}"} if ground not in NO_COLORS else set()
    return frozenset(look for look, found in looks.items() if found) | written


def _is_harmless(style: str) -> bool:
    declared = (each for each in style.split(";") if ":" in each)
    return all(HARMLESS.match(each) for each in declared)


def _shade(color: str) -> str:
    """Return *color* as `#rgb`, where that is simple: nobody sees a finer difference."""
    color = NAMED_COLORS.get(color, color)
    if found := RGB.fullmatch(color):
        color = "#" + "".join(f"{min(int(each), 255):02x}" for each in found.groups())
    return f"#{color[1::2]}" if len(color) == len("#rrggbb") and color[0] == "#" else color


def _unescaped(css: str) -> str:
    return ESCAPED.sub(lambda found: chr(int(found[1], 16) % 0x110000), css)


def _last_color(pattern: re.Pattern[str], style: str) -> str:
    found = pattern.findall(style)
    return str(found[-1]).lower() if found else ""


_known_looks = lru_cache(maxsize=500)(_looks)


def _is_in(element: Tree | None, test: Callable[[Tree], bool], known: dict[Tree, bool]) -> bool:
    """Return whether *test* holds for *element* or one around it; *known* has earlier answers."""
    path: list[Tree] = []
    while element is not None and element not in known:
        path.append(element)
        element = element.getparent()
    found = element is not None and known[element]
    for each in reversed(path):
        found = known[each] = found or test(each)
    return found


def _is_colored(element: Tree) -> bool:
    return "bgcolor" in element.attrib or BACKGROUND.search(_style(element)) is not None


def _style(element: Tree) -> str:
    return str(element.get("style", "")).replace(" ", "")


def _write_styles_into_tags(tree: Tree) -> None:
    """Add to each tag what style sheets in the email say of its name, id, classes and fields.

    Of a selector for a place (`.a .b`) only the last part is heeded, and no rule for some screens.
    """
    sheets = "".join(element.text or "" for element in tree.iter("style"))[:STYLE_MAX]
    linked = [str(each.get("href")) for each in tree.xpath("//link[contains(@rel, 'stylesheet')]")]
    is_foreign = any("font" not in each for each in [*IMPORTED.findall(sheets), *linked])
    sheets = AT_RULE.sub(_rules_in, ANY_OF.sub(r"\1", _unescaped(CSS_COMMENT.sub("", sheets))))
    rules: dict[str, str] = {"*": PERHAPS_HIDDEN} if is_foreign else {}
    for selectors, declared in _style_rules(sheets):
        style = "".join(declared.split())
        if not LOOKS.isdisjoint(_looks_of(style)):
            for selector in selectors.lower().split(","):
                name, is_certain = _selected(selector)
                if name:
                    rules[name] = style if is_certain else PERHAPS_HIDDEN
    if not rules:
        return
    for element in tree.iter():
        names = [f".{each}" for each in element.get("class", "").lower().split()]
        names += [f"[{each}]" for each in element.attrib]
        names += [f"#{element.get('id', '').lower()}", str(element.tag), "*"]
        named = [*names, *(f"{element.tag}{each}" for each in names)]
        if found := [rules[each] for each in named if each in rules]:
            element.set("style", ";".join([*found, element.get("style", "")]))


def _rules_in(found: re.Match[str]) -> str:
    """Return the rules of a block such as `@media screen`, without those for some screens only."""
    kind, condition, rules = found.groups()
    if kind.lower() not in HOLDS_RULES or FOR_SOME.search(condition):
        return ""
    if FOR_ALL.fullmatch(condition):
        return rules
    hiding = (
        selectors
        for selectors, declared in _style_rules(rules)
        if not LOOKS.isdisjoint(_looks_of(declared))
    )
    return "".join(f"{each}{{{PERHAPS_HIDDEN}}}" for each in hiding)


def _style_rules(sheets: str) -> Iterator[tuple[str, str]]:
    """Yield the selectors of each rule, and what it declares."""
    for block in sheets.split("}"):
        around, _, declared = block.rpartition("{")
        yield around.rpartition("{")[2], declared


def _selected(selector: str) -> tuple[str, bool]:
    """Return what *selector* selects, as `p.x` or `[data-x]`, and whether that is all it says."""
    plain = ARGUMENT.sub("()", selector.strip("<!- \t\n"))
    plain = FIELD.sub(lambda found: f"[{found[1]}{'=' if found[2] else ''}]", plain)
    *around, last = BETWEEN_ELEMENTS.split(plain)
    if around and last == "*":
        last = around.pop()  # A rule for all in `.x` is as good as one for `.x`.
    if WHILE_READ.search(last):
        return "", False
    parts = SELECTED.findall(last)
    told = [each for each in parts if not each.startswith(":")]
    tag = told.pop(0) if told and told[0][0] not in ".#[" else ""
    name = told[-1].replace("=", "") if told else ""
    is_certain = f"{tag}{name}" == last and bool(name or not around)
    return f"{tag.removesuffix('*') if name else tag}{name}", is_certain


def _outermost_quotes(tree: Tree) -> list[Tree]:
    found: list[Tree] = []
    waiting = [tree]
    while waiting:
        element = waiting.pop()
        if _is_quote(element):
            found.append(element)
        else:
            waiting.extend(element)
    return found


def _is_quote(element: Tree) -> bool:
    if element.tag in ("blockquote", "signature"):
        return not _is_indented(element)
    if element.get("id") in MARKED_IDS or element.get("name") in SIGNATURE_NAMES:
        return True
    classes = MARKED_CLASSES.intersection(element.get("class", "").split())
    looked_into = "gmail_quote" in classes and element.find("blockquote") is not None
    return bool(classes) and not looked_into


def _is_indented(element: Tree) -> bool:
    style = _style(element)
    return not {"class", "type", "cite"} & set(element.keys()) and bool(INDENTED.search(style))


def _mark(element: Tree, render_quote: Callable[[Tree], str], levels: int = LEVELS_MAX) -> None:
    """Replace *element* by its marked text; what a quote in it quotes has more marks."""
    tail, element.tail = element.tail, None
    remove_struck(element)  # The order beside it may be new.
    if element.tag == "blockquote" and levels:
        for quote in [each for child in element for each in _outermost_quotes(child)]:
            if quote.tag == "blockquote":
                _mark(quote, render_quote, levels - 1)
    text = render_quote(element).strip("\n")
    element.clear()
    element.tag, element.tail = "pre", tail
    element.text = "\n".join(QUOTE_MARK + line for line in text.split("\n"))
