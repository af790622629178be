"""languages"""
