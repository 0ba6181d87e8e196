"""Where pluggy lives. Distributions, folders and objects come in; named offers go out.

``host`` puts plugins together, ``installed`` finds distributions, ``packages`` reads presets from packages and folders,
``bundled`` has the presets of this project, ``offers`` says what counts as an offer, ``commands`` finds commands.
"""
