"""The one door to the HTTP libraries. Requests as values go in; bounded replies come out."""
