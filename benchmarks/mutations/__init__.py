"""Small mistakes put into MU one at a time, to see which of them no test notices."""
