"""Pictures inside documents: as files, opened, and with the properties they tell. In a child."""
