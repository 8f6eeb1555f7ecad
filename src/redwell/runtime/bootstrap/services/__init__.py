"""Who works on this home: services of workers, and this machine among them."""
