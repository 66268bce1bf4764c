"""Small changes of a world that keep the law: exchanges of cards, and lemmas from them."""
