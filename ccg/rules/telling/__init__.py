"""What people are told: views, sentences, reasons, and the words on the cards."""
