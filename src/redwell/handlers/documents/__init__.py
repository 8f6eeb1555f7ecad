"""Readers that the document handlers share: packages, XML text, OLE storages. They run in a child."""
