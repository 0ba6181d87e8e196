"""Find the element that holds the content of a page, and take the furniture out of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from websdk.reading.tree import HEADINGS, is_element, remove, tokens

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from websdk.reading.facts import Facts

_GENERATORS = re.compile(
    r"sphinx|docutils|mkdocs|docusaurus|doxygen|rustdoc|mdbook|javadoc|asciidoctor|docbook|gitbook|vitepress|vuepress|"
    r"antora|haddock|exdoc|ex_doc|erl_docgen|rdoc|yard|jsdoc|typedoc|starlight|nextra|mintlify|readme\.io|hugo.*docsy|"
    r"bookdown|pkgdown|quarto|documenter|godoc|epydoc|pdoc|swagger|redoc|texinfo|makeinfo|latex2html|slate|jekyll docs"
)
_DOCS_URL = re.compile(
    r"//(?:docs?|developers?|devdocs|api|reference|manual|help|learn|wiki|guides?|handbook|man)\.|readthedocs|"
    r"\.github\.io/|/(?:docs?|documentation|manual|reference|api|api-?docs|javadoc|apidocs|handbook|man\d?|tutorials?|guides?|spec)(?:/|$|\.)",
    re.I,
)
_DOCS_MARKS = (
    "//*[contains(@class,'theme-doc-') or contains(@class,'rst-content') or contains(@class,'md-content') or "
    "contains(@class,'sphinxsidebar') or contains(@class,'wy-nav-content') or @id='apicontent' or "
    "contains(@class,'VPDoc') or contains(@class,'gitbook') or contains(@class,'rustdoc') or contains(@class,'book-body')]"
)
# Where documentation generators put the content, most telling first.
_CONTAINERS = (
    "//*[@id='apicontent']",
    "//div[contains(concat(' ',@class,' '),' theme-doc-markdown ')]",
    "//article[contains(concat(' ',@class,' '),' md-content__inner ')]",
    "//div[contains(concat(' ',@class,' '),' vp-doc ')]",
    "//*[contains(concat(' ',@class,' '),' markdown-body ')]",
    "//div[contains(concat(' ',@class,' '),' body ')][@role='main']",
    "//*[@role='main']",
    "//*[@itemprop='articleBody']",
    "//main//article",
    "//main",
    "//*[@id='main-content']",
    "//*[@id='bodyContent']",
    "//div[@id='bd']",
    "//div[contains(concat(' ',@class,' '),' body ')]",
    "//div[contains(concat(' ',@class,' '),' contents ')]",
    "//div[contains(concat(' ',@class,' '),' contentContainer ')]",
    "//div[contains(concat(' ',@class,' '),' document ')]",
    "//article",
    "//*[@id='content']",
    "//*[@id='main']",
    "//*[contains(concat(' ',@class,' '),' content ')]",
)
# A container must hold this share of the page's text outside menus; below it is a part, not the content.
_ENOUGH = 0.5
_FURNITURE_TAGS = frozenset(("nav", "footer", "menu", "dialog", "search"))
_FURNITURE_ROLES = frozenset(
    ("navigation", "search", "contentinfo", "banner", "complementary", "menu", "menubar", "toolbar", "dialog", "alertdialog", "tablist", "doc-toc", "doc-backlink", "directory")
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
_KEPT_TAGS = frozenset(("code", "pre", "p", "tr", "td", "th", "li", "dt", "dd", "span", "tbody", "img", "b", "em", "i", "strong"))
_SAFE_TAGS = frozenset(("html", "body", "main", "article", *HEADINGS))
# A furniture word on an element with this share of the whole is a misnomer, such as a page class on the content.
_TOO_MUCH = 0.6


def is_documentation(root: HtmlElement, facts: Facts, url: str) -> bool:
    """Whether a page looks like documentation: made by a generator, or at such an address and with code in it."""
    if _GENERATORS.search(facts.generator):
        return True
    if root.xpath(f"boolean({_DOCS_MARKS})"):
        return True
    blocks = int(root.xpath("count(//pre)"))
    if _DOCS_URL.search(url):
        return blocks >= 1 or int(root.xpath("count(//dl/dt)")) > 5 or int(root.xpath("count(//code)")) > 5
    return blocks >= 4


def furniture_free(root: HtmlElement) -> None:
    """Remove menus, notices and controls by role, tag and class word, in place."""
    whole = len("".join(root.itertext())) or 1
    for node in list(root.iterdescendants()):
        if is_element(node) and is_furniture(node) and node.getparent() is not None:
            if len("".join(node.itertext())) < _TOO_MUCH * whole:
                remove(node)


def is_furniture(node: HtmlElement) -> bool:
    """Whether tag, role or class words say that *node* is no content."""
    if node.tag in _FURNITURE_TAGS or node.get("role") in _FURNITURE_ROLES:
        return True
    if node.tag in _SAFE_TAGS or node.tag in _KEPT_TAGS:
        return False
    words = tokens(node)
    if any(_FURNITURE.match(word) for word in words):
        return not any(above.tag == "pre" for above in node.iterancestors())
    return (node.get("id") or "").lower() in _FURNITURE_IDS or bool(_CONTENTS & set(words) and _lists_the_page(node))


def _lists_the_page(node: HtmlElement) -> bool:
    """Whether nearly all text of *node* is links into the page itself: a table of contents."""
    links = [a for a in node.iter("a") if (a.get("href") or "").startswith("#")]
    linked = sum(len("".join(a.itertext()).strip()) for a in links)
    return len(links) > 1 and linked >= 0.7 * len("".join(node.itertext()).strip())


def content_root(root: HtmlElement) -> HtmlElement:
    """The smallest known container that holds most of the page's text outside menus."""
    body = root.find("body")
    body = root if body is None else body
    total = _mass(body)
    for path in _CONTAINERS:
        hits = root.xpath(path)
        if not hits:
            continue
        best = max(hits, key=_mass)
        if _mass(best) >= _ENOUGH * total:
            return best
    return body


def _mass(node: HtmlElement) -> int:
    """Text outside of links."""
    links = sum(len("".join(a.itertext())) for a in node.iter("a"))
    return len("".join(node.itertext())) - links
