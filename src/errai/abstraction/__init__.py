"""Hand features, clustering, and bucket tables: which hands a strategy treats alike."""
