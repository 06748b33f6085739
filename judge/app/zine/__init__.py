"""Reports for zines, forums and paper: record, adjudication and pictures."""
