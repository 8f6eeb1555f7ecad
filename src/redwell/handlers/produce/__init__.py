"""Pages and files that go out to others, made of PDFs in children."""
