"""The tickets of the Acme company as a search provider.

A request comes in; two HTTP requests, told as values, go out. ``codec`` knows the service, ``token`` gets its
short-lived token, ``plugin`` offers both.
"""
