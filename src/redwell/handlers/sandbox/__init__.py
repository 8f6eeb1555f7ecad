"""What holds a parser: see `layers` for the list, `namespaces` for the processes around it."""
