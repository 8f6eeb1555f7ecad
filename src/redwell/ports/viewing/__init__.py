"""Pages of documents, and engines that show them."""
