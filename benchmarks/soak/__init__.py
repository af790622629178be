"""What MU has to survive: killed builds, full disks, damaged files, and many processes at once."""
