"""How much the index takes in and gives out. Each bound stands beside its reason."""

from __future__ import annotations

MAX_FILE_BYTES = 2 * 1024 * 1024  # the same ceiling as for a page that is read from the web
MAX_FILES = 250_000  # two and a half times the size that the index is measured at; more is usually the wrong folder
MAX_DEPTH = 64  # folders within folders; far above real sites, far below what makes path look-ups slow
MAX_URL_CHARACTERS = 2_048  # a search result with a longer address would be dropped
MAX_TITLE_CHARACTERS = 300  # as much as a search result may carry
MAX_NAMED_REFUSALS = 1_000  # names in one report; a folder of unsuitable files must not fill the terminal

BATCH_FILES = 200  # pages in one write: a few tens of milliseconds, so a reader never waits long for fresh pages
BATCH_BYTES = 8 * 1024 * 1024  # ... and not more than this in memory, whatever the files' sizes
READ_DEADLINE_S = 30.0  # of one file; the same time that a page of the web gets
FETCHES_AT_ONCE = 4  # pages of the web in flight; a polite number for pages that often share an origin

MAX_WORDS = 64  # different words of one query; longer texts are pasted passages, whose first words say enough
SCORED_WORDS = 8_000  # pages that one search scores, times its words; each takes a microsecond or a little more
LEAST_SCORED_PAGES = 2_000  # ... and not fewer pages than this, for pages that hold many words are few
MAX_RESULTS = 100  # results of one search; each carries a whole page
MAX_CONTENT_CHARACTERS = 2 * 1024 * 1024  # of all results together, as much as a vendor's whole reply may hold
SNIPPET_CHARACTERS = 320  # two to three lines on a terminal
TITLE_WEIGHT = 10.0  # a word in the title counts as much as ten in the text

IDLE_READERS = 4  # connections kept for the next searches; more at once open their own
BUSY_STEP_S = 0.02  # between two tries where SQLite does not wait by itself
BUSY_S = 5.0  # wait for a lock; writes last milliseconds, so only a stuck disk takes longer
CACHE_KIB = 32 * 1024  # page cache of the writer: the inner pages of an index of 100,000 pages
WAL_PAGES = 1_000  # 4 MB before the log is folded into the index; a reader who is alone goes through it each time
WAL_BYTES = 64 * 1024 * 1024  # what the side file is cut back to after a long write
# A file changed within this time of its reading may keep its size and time stamp (coarse clocks of file systems),
# so that its content is compared as well.
SETTLED_NS = 2_000_000_000

IN_PROCESS_PAGES = 32  # HTML pages read before child processes are worth their start
IN_PROCESS_BYTES = 64 * 1024  # of such a page; what is larger could be built to take long
