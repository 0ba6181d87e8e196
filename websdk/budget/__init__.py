"""Arithmetic of limits. Pure.

Rows of a vendor come in, and bounded, verified results go out; results and passages come in, and answers that fit what
a model may be shown at once go out.
"""
