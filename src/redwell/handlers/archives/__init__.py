"""What archives are made of; the handlers beside this package read them. In the child."""
