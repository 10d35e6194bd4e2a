"""Reports of the house: figures from the stored sums and the log, as data, CSV, XLSX and text (OFF-20)."""
