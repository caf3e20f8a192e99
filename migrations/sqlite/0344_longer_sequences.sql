-- The tokens of similar texts are made of longer sequences of characters, so that among a million texts few share one. What the
-- index has is of the shorter ones: a worker makes it anew, and until it has come to a text, memory finds it by the same text alone.
DELETE FROM memory_grams;
UPDATE memory_sources SET is_indexed = 0 WHERE is_indexed = 1;
