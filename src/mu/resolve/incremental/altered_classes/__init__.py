"""What classes alter that extend something else than before, or have other members."""
