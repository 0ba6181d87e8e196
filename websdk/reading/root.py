"""Find the element that holds the content of a page, and take the furniture out of it."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from websdk.reading.survey import Survey
from websdk.reading.tree import HEADINGS, classes, tokens

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
)
_DOCS_URL = re.compile(
    r"//(?:docs?|developers?|devdocs|api|reference|manual|help|learn|wiki|guides?|handbook|man)\.|readthedocs"
    r"|\.github\.io/|/(?:docs?|documentation|manual|reference|api|api-?docs|javadoc|apidocs|handbook|man\d?|tutorials?"
    r"|guides?|spec)(?:/|$|\.)",
    re.I,
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
# A container must hold this share of the page's text outside menus; below it is a part, not the content.
_ENOUGH = 0.5
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
    r"related|relations|rellinks|edit-?(?:this-?)?page|edit-?link|edit-?on-?github|feedback|was-this-helpful|helpful|rating|"
    r"share|sharing|social(?:-\w+)*|share-?(?:buttons?|links?|bar)|addthis\w*|cookie(?:-\w+)*|consent(?:-\w+)*|gdpr|newsletter|subscribe|"
    r"comments?|comments?_section|disqus_thread|respond|comments?_thread|search(?:-?(?:box|form|bar|field|results?))?|searchbox|"
    r"skip(?:-?(?:link|nav|to-content))?|sr-only|visually-?hidden|screen-reader-text|visuallyhidden|copyright-footer|"
    r"version-?(?:switch(?:er)?|select(?:or)?|warning)|rst-versions|language-?(?:switch(?:er)?|select(?:or)?)|toplang|bottomlang|"
    r"back-?to-?top|scroll-?(?:to-)?top|printfooter|mw-editsection|mw-jump-link|noprint|navbox|catlinks|"
    r"headerlink|viewcode-link|viewcode-back|srclink|rightside|out-of-band|test-arrow|copy-?btn|copybtn|copy-?button|clipboard|"
    r"navheader|spirit-nav|dynheader|ttc|linenos|lineno|nosearch|a-mark-x|js-flavor-toggle|"
    r"leftnav|left-nav|rightnav|quickview|docinfo|md-source|md-sidebar|md-header|md-footer|md-tabs|theme-doc-toc-\w+|"
    r"theme-doc-footer|theme-doc-breadcrumbs|theme-edit-this-page|vpdocfooter|docfooter|contributors|last-?updated|"
    r"tocbase|toct|backrefs|hideme|tocs|div-toc|navpanel|nav-panel|summary_toggle|togglesource|showsource|method-controls|method-click-advice|method-source-code"
    r")$"
)
_FURNITURE_IDS = frozenset(("path", "copyright"))
_CONTENTS = frozenset(("contents", "topic", "summary", "index", "synopsis"))
_KEPT_TAGS = frozenset(
    ("code", "pre", "p", "tr", "td", "th", "li", "dt", "dd", "span", "tbody", "img", "b", "em", "i", "strong")
)
_CONTAINER_TAGS = frozenset(("div", "main", "article", "section", "td", "body"))
_ASIDES = frozenset(
    ("admonition", "footnote", "callout", "note", "tip", "warning", "footnote-list", "citation", "sidebar-x", "topic")
)
_SAFE_TAGS = frozenset(("html", "body", "main", "article", *HEADINGS))
# A furniture word on an element with this share of the whole is a misnomer, such as a page class on the content.
_TOO_MUCH = 0.6


def is_documentation(survey: Survey, facts: Facts) -> bool:
    """Whether a page was made by a documentation generator, as its head or its markup says."""
    if _GENERATORS.search(facts.generator):
        return True
    names = (node.get("class") or node.get("id") for node in survey.nodes)
    return any(name is not None and _DOCS_MARKS.search(name.lower()) is not None for name in names)


def looks_like_documentation(survey: Survey, url: str) -> bool:
    """Whether a page lies where documentation lies and holds code or terms, or holds much code anywhere."""
    tags = Counter(node.tag for node in survey.nodes)
    if _DOCS_URL.search(url):
        return tags["pre"] >= 1 or tags["dt"] > 5 or tags["code"] > 5
    return tags["pre"] >= 4


def furniture(survey: Survey, within: int = 0) -> list[HtmlElement]:
    """The menus, notices and controls of a page by role, tag and class word.

    Args:
        survey: The page.
        within: Place of the element to look under.

    Returns:
        The outermost such elements.
    """
    whole = survey.size[within] or 1
    found: list[HtmlElement] = []
    inside: set[int] = set()
    marks = furniture_marks(survey)
    for here in range(within + 1, len(survey.nodes)):
        above = survey.parent[here]
        if above < within:
            break
        if above in inside:
            inside.add(here)
        elif marks[here] and survey.size[here] < _TOO_MUCH * whole:
            found.append(survey.nodes[here])
            inside.add(here)
    return found


def furniture_marks(survey: Survey) -> list[bool]:
    """For every element of a page, whether it is furniture."""
    words: dict[str, bool] = {}
    return survey.furniture(lambda node: is_furniture(node, words))


def is_furniture(node: HtmlElement, known: dict[str, bool]) -> bool:
    """Whether tag, role or class words say that *node* is no content.

    Args:
        node: An element.
        known: What was found about words before; added to.
    """
    if node.tag in _FURNITURE_TAGS or node.get("role") in _FURNITURE_ROLES:
        return True
    if node.tag in ("header", "aside") and not _inside_content(node):
        return node.tag == "header" or _ASIDES.isdisjoint(classes(node))
    if node.tag in _SAFE_TAGS or node.tag in _KEPT_TAGS:
        return False
    words = tokens(node)
    for word in words:
        if word not in known:
            known[word] = _FURNITURE.match(word) is not None
    if any(known[word] for word in words):
        return not any(above.tag == "pre" for above in node.iterancestors())
    return (node.get("id") or "").lower() in _FURNITURE_IDS or bool(_CONTENTS & set(words) and _lists_the_page(node))


def _inside_content(node: HtmlElement) -> bool:
    return any(
        above.tag in ("main", "article", "section") or above.get("role") == "main" for above in node.iterancestors()
    )


def _lists_the_page(node: HtmlElement) -> bool:
    """Whether nearly all text of *node* is links into the page itself: a table of contents."""
    links = [a for a in node.iter("a") if (a.get("href") or "").startswith("#")]
    linked = sum(len("".join(a.itertext()).strip()) for a in links)
    return len(links) > 1 and linked >= 0.7 * len("".join(node.itertext()).strip())


def content_root(survey: Survey) -> int:
    """Place of the smallest known container that holds most of the page's text outside links and furniture."""
    body = next((at for at, node in enumerate(survey.nodes[:50]) if node.tag == "body"), 0)
    taken = [0] * len(survey.nodes)
    for node in furniture(survey, body):
        here = survey.at[node]
        mass = survey.plain(here)
        while mass and here >= 0:
            taken[here] += mass
            here = survey.parent[here]
    enough = _ENOUGH * (survey.plain(body) - taken[body])
    ranks: dict[int, int] = {}
    for here, node in enumerate(survey.nodes):
        rank = _rank(node)
        mass = survey.plain(here) - taken[here] if rank is not None else 0
        if rank is not None and mass >= enough:
            best = ranks.get(rank)
            if best is None or mass > survey.plain(best) - taken[best]:
                ranks[rank] = here
    return ranks[min(ranks)] if ranks else body


def _rank(node: HtmlElement) -> int | None:
    """How telling an element is as a container; smaller is better."""
    tag = node.tag
    if tag not in _CONTAINER_TAGS:
        return None
    name, role = (node.get("id") or "").lower(), node.get("role")
    words = classes(node)
    if name in _CONTAINER_IDS[0]:
        return 0
    if words and not _CONTAINER_CLASSES[0].isdisjoint(words):
        return 1
    if role == "main":
        return 2
    if (node.get("itemprop") or "") == "articleBody":
        return 3
    if tag == "article":
        return 4 if any(above.tag == "main" for above in node.iterancestors()) else 7
    if tag == "main":
        return 5
    if name in _CONTAINER_IDS[1]:
        return 6
    if words and not _CONTAINER_CLASSES[1].isdisjoint(words):
        return 8
    return None
