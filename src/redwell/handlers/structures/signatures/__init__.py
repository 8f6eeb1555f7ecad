"""Who signed and who sealed: cryptographic messages, signatures in packages. For readers of formats, in a child."""
