"""Where pluggy lives. Distributions, folders and objects come in; named offers go out."""
