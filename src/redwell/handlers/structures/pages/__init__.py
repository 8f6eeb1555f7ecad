"""Pages of PDFs and scans: what they draw, the text behind them, and whether they are text at all. In a child."""
