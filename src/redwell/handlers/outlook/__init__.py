"""Outlook's stores (PST, OST) from the bytes up, and their items as messages. Called by the pst handler in a child."""
