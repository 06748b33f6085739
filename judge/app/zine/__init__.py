"""Reports for zines, forums and paper, joined from the record, the law and the pictures."""
