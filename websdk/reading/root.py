"""Find the element that holds the content of a page, and take the furniture out of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from websdk.reading.survey import Name, Survey
from websdk.reading.tree import HEADINGS, text_of

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from websdk.reading.facts import Facts

_GENERATORS = re.compile(
    r"sphinx|docutils|mkdocs|docusaurus|doxygen|rustdoc|mdbook|javadoc|asciidoctor|docbook|gitbook|vitepress|vuepress|"
    r"antora|haddock|exdoc|ex_doc|erl_docgen|rdoc|yard|jsdoc|typedoc|starlight|nextra|mintlify|readme\.io|hugo.*docsy|"
    r"bookdown|pkgdown|quarto|documenter|godoc|epydoc|pdoc|swagger|redoc|texinfo|makeinfo|latex2html|slate|jekyll docs"
)
_DOCS_MARKS = re.compile(
    r"theme-doc-|rst-content|md-content|sphinxsidebar|wy-nav-content|vpdoc|gitbook|rustdoc|book-body|apicontent"
    r"|nav-chapters|furo-main-content|td-page-meta"
)
_DOCS_URL = re.compile(
    r"//(?:docs?|developers?|devdocs|api|reference|manual|help|learn|wiki|guides?|handbook|man)\.|readthedocs"
    r"|\.github\.io/|/(?:docs?|documentation|manual|reference|api|api-?docs|javadoc|apidocs|handbook|man\d?|tutorials?"
    r"|guides?|spec)(?:/|$|\.)",
    re.I,
)
# Where documentation lies by what its address says outright; the wider list above also fits guides in magazines.
_DOCS_PLACE = re.compile(
    r"//docs?\.|readthedocs|/(?:docs?|documentation|manual|reference|api-?docs|javadoc|apidocs|handbook)(?:/|$)", re.I
)
# Where pages put their content, most telling first: what stands in the first group that is large enough is taken.
_CONTAINER_CLASSES: tuple[frozenset[str], ...] = (
    frozenset(
        (
            "theme-doc-markdown",
            "md-content__inner",
            "vp-doc",
            "markdown-body",
            "rst-content",
            "td-content",
            "devsite-article-body",
            "main-page-content",
            "docs-content",
            "doc-content",
            "sl-markdown-content",
        )
    ),
    frozenset(("body", "contents", "contentcontainer", "document", "content")),
)
_CONTAINER_IDS: tuple[frozenset[str], ...] = (
    frozenset(("apicontent", "doccontent", "docs-content", "mw-content-text", "wikicontent")),
    frozenset(("main-content", "maincontent", "bodycontent", "bd", "content", "main", "page-content")),
)
_NO_RANK = 9
# A container must hold this share of the page's text outside menus; below it is a part, not the content.
_ENOUGH = 0.5
# A container that only generators name so needs no more than this.
_SURE_RANK, _LEAST = 1, 0.1
_FURNITURE_TAGS = frozenset(("nav", "footer", "menu", "dialog", "search"))
_FURNITURE_ROLES = frozenset(
    (
        "navigation",
        "search",
        "contentinfo",
        "banner",
        "complementary",
        "menu",
        "menubar",
        "toolbar",
        "dialog",
        "alertdialog",
        "tablist",
        "doc-toc",
        "doc-backlink",
        "directory",
    )
)
_FURNITURE = re.compile(
    r"^(?:"
    r"nav(?:bar|igation|header|footer|-?links?|-?buttons?|menu|settop|setbottom)?|topnav|bottomnav|subnav|sub-nav|page-?nav|pagination|pager|"
    r"prev-?next(?:-\w+)*|next-?prev|breadcrumbs?(?:-\w+)*|sphinxsidebar|sidebar(?:-\w+)*|side-?bar|sidenav|side-nav|"
    r"toc|table-of-contents|toctree-wrapper-x|contents-x|mini-?toc|page-?toc|on-this-page|local-?toc|"
    r"footer|page-?footer|site-?footer|global-?footer|header-?nav|site-?header|page-?header|navbar-\w+|"
    r"related|related-(?:articles|topics)|action-bar|js-post-menu|relations|rellinks|edit-?(?:this-?)?page|edit-?link|edit-?on-?github|feedback|was-this-helpful|helpful|rating|"
    r"share|sharing|social(?:-\w+)*|share-?(?:buttons?|links?|bar)|addthis\w*|cookie(?:-\w+)*|consent(?:-\w+)*|gdpr|newsletter|subscribe|"
    r"comments?|comments?_section|disqus_thread|respond|comments?_thread|search(?:-?(?:box|form|bar|field|results?))?|searchbox|"
    r"skip(?:-?(?:link|nav|to-content))?|sr-only|visually-?hidden|screen-reader-text|visuallyhidden|copyright-footer|"
    r"version-?(?:switch(?:er)?|select(?:or)?|warning)|rst-versions|language-?(?:switch(?:er)?|select(?:or)?)|toplang|bottomlang|"
    r"dropdown-?(?:panel|menu|content|trigger|toggle|list|items?)|back-?to-?top|scroll-?(?:to-)?top|printfooter|mw-editsection|mw-jump-link|navbox|catlinks|"
    r"headerlink|viewcode-link|viewcode-back|srclink|rightside|out-of-band|test-arrow|copy-?btn|copybtn|copy-?button|clipboard|"
    r"navheader|spirit-nav|dynheader|ttc|linenos|lineno|nosearch|a-mark-x|js-flavor-toggle|"
    r"leftnav|left-nav|rightnav|quickview|docinfo|md-source|md-sidebar|md-header|md-footer|md-tabs|theme-doc-toc-\w+|"
    r"theme-doc-footer|theme-doc-breadcrumbs|theme-edit-this-page|vpdocfooter|docfooter|contributors|last-?updated|"
    r"tocbase|toct|backrefs|hideme|tocs|div-toc|navpanel|nav-panel|summary_toggle|togglesource|showsource|method-controls|method-click-advice|method-source-code"
    r")$"
)
_FURNITURE_IDS = frozenset(("path", "copyright"))
_CONTENTS_TITLE = re.compile(r"(?:table of )?contents|on this page|in this (?:article|section|page)|topics?:?", re.I)
_TITLE = 200
_CONTENTS = frozenset(("contents", "topic", "summary", "index", "synopsis"))
_KEPT_TAGS = frozenset(
    ("code", "pre", "p", "tr", "td", "th", "li", "dt", "dd", "span", "tbody", "img", "b", "em", "i", "strong")
)
_CONTAINER_TAGS = frozenset(("div", "main", "article", "section", "td", "body"))
_ASIDES = frozenset(
    ("admonition", "footnote", "callout", "note", "tip", "warning", "footnote-list", "citation", "sidebar-x", "topic")
)
_CONTENT_TAGS = frozenset(("main", "article", "section"))
_SAFE_TAGS = frozenset(("html", "body", "main", "article", *HEADINGS))
# A furniture word on an element with this share of the whole is a misnomer, such as a page class on the content.
_TOO_MUCH = 0.6
# The line above a block of code; where it is this short it names the language, which the fence says.
_CODE_HEADERS = frozenset(("example-header", "code-header", "code-block-header", "highlight-header"))
_LABEL = 16
# Characters beside furniture below which a page of documentation is the way to its chapters.
_LANDING = 600
_CHAPTERS = frozenset(("toc", "table-of-contents", "minitoc", "mini-toc"))
# Share of link text that shows navigation to be what it says.
_MENU = 0.7


def is_documentation(survey: Survey, facts: Facts) -> bool:
    """Whether a page was made by a documentation generator, as its head or its markup says."""
    if _GENERATORS.search(facts.generator):
        return True
    return _DOCS_MARKS.search("\n".join(words or name for words, name in survey.words).lower()) is not None


def looks_like_documentation(survey: Survey, url: str) -> bool:
    """Whether a page lies where documentation lies, or where it may and holds code or terms, or holds much code."""
    count = survey.tags.count
    if _DOCS_PLACE.search(url):
        return True
    if _DOCS_URL.search(url):
        return count("pre") >= 1 or count("dt") > 5 or count("code") > 5
    return count("pre") >= 4


def is_contained_documentation(survey: Survey, here: int, url: str) -> bool:
    """Whether a page is documentation by looks or address and *here* a container of its content, not the whole body."""
    return survey.tags[here] not in ("html", "body") and looks_like_documentation(survey, url)


def furniture(survey: Survey, marks: list[bool], within: int = 0) -> list[HtmlElement]:
    """The menus, notices and controls of a page by role, tag and class word.

    Args:
        survey: The page.
        marks: What :func:`furniture_marks` says about it.
        within: Place of the element to look under.

    Returns:
        The outermost such elements.
    """
    whole = survey.size[within] or 1
    found: list[HtmlElement] = []
    end = -1
    for here in range(within + 1, survey.last[within] + 1):
        if here > end and marks[here] and (survey.size[here] < _TOO_MUCH * whole or _is_menu(survey, here)):
            found.append(survey.nodes[here])
            end = survey.last[here]
    return found


def title_outside(survey: Survey, here: int, title: str) -> HtmlElement | None:
    """The heading of the page where it stands outside of its content.

    Args:
        survey: The page.
        here: Place of the content.
        title: What the page calls itself; a heading that does not begin it is the name of the site.

    Returns:
        A heading of the first level, or ``None`` where the content has one.
    """
    if "h1" in survey.tags[here : survey.last[here] + 1]:
        return None
    headings = (survey.nodes[at] for at, tag in enumerate(survey.tags) if tag == "h1")
    return next((node for node in headings if (text := text_of(node)) and title.startswith(text)), None)


def notes_outside(survey: Survey, here: int) -> HtmlElement | None:
    """The list of footnotes that the content leads to, where it stands after it and not inside."""
    for at in range(survey.last[here] + 1, len(survey.nodes)):
        if "footnotes" in survey.words[survey.names[at]]:
            notes = survey.nodes[at]
            names = {f"#{node.get('id')}" for node in notes.iter() if node.get("id")}
            return notes if any(link.get("href") in names for link in survey.nodes[here].iter("a")) else None
    return None


def content_furniture(survey: Survey, marks: list[bool], here: int) -> list[HtmlElement]:
    """The furniture inside of the content container, but for the list of chapters on a page that is little else.

    Args:
        survey: The page.
        marks: What :func:`furniture_marks` says about it.
        here: Place of the container.

    Returns:
        The outermost elements of furniture.
    """
    found = furniture(survey, marks, here)
    if survey.size[here] - sum(survey.size[survey.at[node]] for node in found) < _LANDING:
        found = [node for node in found if not _lists_chapters(survey, node)]
    titles = [title for node in found if (title := node.getprevious()) is not None and _is_title_of_contents(title)]
    return [*found, *titles]


def _is_title_of_contents(node: HtmlElement) -> bool:
    """Whether an element before a menu is the title of it; the title goes where the menu goes."""
    text = "".join(node.itertext()) if isinstance(node.tag, str) else ""
    return len(text) < _TITLE and _CONTENTS_TITLE.fullmatch(text.strip()) is not None


def _lists_chapters(survey: Survey, node: HtmlElement) -> bool:
    """Whether *node* is called a table of contents and leads to other pages."""
    here = survey.at[node]
    if survey.tags[here] == "nav" or _CHAPTERS.isdisjoint(survey.words[survey.names[here]]):
        return False
    return any(not (link.get("href") or "#").startswith("#") for link in node.iter("a"))


def _is_menu(survey: Survey, here: int) -> bool:
    """Whether an element is navigation by its kind and holds little but links, however much of the page it is."""
    named = survey.tags[here] == "nav" or survey.roles.get(here) == "navigation"
    return named and survey.linked[here] >= _MENU * survey.size[here]


def furniture_marks(survey: Survey) -> list[bool]:
    """For every element of a page, whether tag, role or class words say that it is no content."""
    count = len(survey.nodes)
    marks, in_content, in_code = [False] * count, bytearray(count), bytearray(count)
    known: dict[Name, tuple[bool, bool, bool, bool]] = {}
    size = survey.size
    for here, tag in enumerate(survey.tags):
        above = survey.parent[here]
        role = survey.roles.get(here)
        if above >= 0:
            in_content[here], in_code[here] = in_content[above], in_code[above]
        outside, code = not in_content[here], in_code[here]
        if tag in _CONTENT_TAGS or role == "main":
            in_content[here] = 1
        elif tag == "pre":
            in_code[here] = 1
        if tag in _FURNITURE_TAGS or role in _FURNITURE_ROLES:
            marks[here] = True
            continue
        if tag in _SAFE_TAGS or tag in _KEPT_TAGS:
            continue
        name = survey.names[here]
        if name not in known:
            known[name] = _said_by(name, survey.words[name])
        furniture_word, furniture_id, lists, aside = known[name]
        if outside and tag in ("header", "aside"):
            marks[here] = tag == "header" or not aside
        elif furniture_word:
            marks[here] = not code
        elif tag == "div" and size[here] <= _LABEL and not _CODE_HEADERS.isdisjoint(survey.words[name]):
            marks[here] = True
        elif furniture_id or lists:
            marks[here] = furniture_id or _lists_the_page(survey.nodes[here])
    _clear_misnomers(survey, marks)
    return marks


def _clear_misnomers(survey: Survey, marks: list[bool]) -> None:
    """Take back what the class of many elements says where most of the page is called so: a thread of comments."""
    called: dict[str, list[int]] = {}
    end = -1
    for here, marked in enumerate(marks):
        if marked and here > end:
            end = survey.last[here]
            called.setdefault(survey.names[here][0], []).append(here)
    for name, places in called.items():
        if name and len(places) > 1 and sum(survey.plain(here) for here in places) >= _TOO_MUCH * survey.plain(0):
            for here in places:
                marks[here] = False


def _said_by(name: Name, words: tuple[str, ...]) -> tuple[bool, bool, bool, bool]:
    """Whether a name holds a furniture word, is a furniture id, means a list of contents, means an aside of a text."""
    return (
        any(_FURNITURE.match(word) for word in words),
        name[1].lower() in _FURNITURE_IDS,
        not _CONTENTS.isdisjoint(words),
        not _ASIDES.isdisjoint(name[0].lower().split()),
    )


def _lists_the_page(node: HtmlElement) -> bool:
    """Whether nearly all text of *node* is links into the page itself: a table of contents."""
    links = [a for a in node.iter("a") if (a.get("href") or "").startswith("#")]
    linked = sum(len("".join(a.itertext()).strip()) for a in links)
    return len(links) > 1 and linked >= 0.7 * len("".join(node.itertext()).strip())


def content_root(survey: Survey, marks: list[bool]) -> int:
    """Place of the smallest known container that holds most of the page's text outside links and furniture."""
    body = next((at for at, tag in enumerate(survey.tags[:50]) if tag == "body"), 0)
    taken = [0] * len(survey.nodes)
    for node in furniture(survey, marks, body):
        here = survey.at[node]
        mass = survey.plain(here)
        while mass and here >= 0:
            taken[here] += mass
            here = survey.parent[here]
    whole = survey.plain(body) - taken[body]
    enough, least = _ENOUGH * whole, _LEAST * whole
    ranks: dict[int, int] = {}
    shared: set[int] = set()
    known: dict[Name, int] = {}
    for here, tag in enumerate(survey.tags):
        if tag not in _CONTAINER_TAGS:
            continue
        mass = survey.plain(here) - taken[here]
        if mass < least:
            continue
        name = survey.names[here]
        if name not in known:
            known[name] = _named_rank(name)
        rank = _rank(survey, here, known[name])
        if rank < _NO_RANK and (mass >= enough or rank <= _SURE_RANK):
            best = ranks.get(rank)
            if best is not None and not survey.is_under(here, best):
                shared.add(rank)
            if best is None or mass > survey.plain(best) - taken[best]:
                ranks[rank] = here
    for rank in shared:
        # Posts of a thread share a name, and the longest is not the content.
        if survey.plain(ranks[rank]) - taken[ranks[rank]] < enough:
            del ranks[rank]
    return ranks[min(ranks)] if ranks else body


def _named_rank(name: Name) -> int:
    """How telling a name is for a container; smaller is better."""
    own = name[1].lower()
    words = name[0].lower().split()
    if own in _CONTAINER_IDS[0]:
        return 0
    if not _CONTAINER_CLASSES[0].isdisjoint(words):
        return 1
    if own in _CONTAINER_IDS[1]:
        return 6
    return _NO_RANK if _CONTAINER_CLASSES[1].isdisjoint(words) else 8


def _rank(survey: Survey, here: int, named: int) -> int:
    """How telling an element is as a container, name, role and tag together."""
    node, tag = survey.nodes[here], survey.tags[here]
    if named < 2:
        return named
    if survey.roles.get(here) == "main":
        return 2
    if node.get("itemprop") == "articleBody":
        return 3
    if tag == "article":
        return 4 if any(True for _ in node.iterancestors("main")) else 7
    return 5 if tag == "main" else named
