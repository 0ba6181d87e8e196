"""Vendors whose wire is no JSON in and JSON out, each as a codec: a request comes in, requests as values go out.

``arxiv`` reads Atom feeds, ``brightdata`` writes an address into a body and reads JSON inside JSON.
"""
