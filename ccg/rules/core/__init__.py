"""The machine under the rules: state, agenda, events, options, chance, and what is asked about cards in play."""
