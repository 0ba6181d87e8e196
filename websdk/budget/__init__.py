"""Arithmetic of limits. Rows of a vendor come in; bounded, verified results go out. Pure."""
