"""Search providers: a request comes in; a vendor's answer, accounted for, goes out."""
