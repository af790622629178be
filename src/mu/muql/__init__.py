"""muql"""
