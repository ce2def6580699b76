"""What tasks of one kind share: axes, standard sentences with their mutants, truth and cost."""
