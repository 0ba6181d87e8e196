"""The command line. Words come in; one object or a page for people goes out."""
