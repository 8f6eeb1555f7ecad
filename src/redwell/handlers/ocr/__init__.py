"""Recognition of characters: one core for pages of PDFs, pictures, and pictures inside documents."""
