"""What DPjudge writes, part by part: results, status, summary."""
