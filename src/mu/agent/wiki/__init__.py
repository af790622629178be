"""Gather from a wiki what a task needs: a few pages, chosen by words and by a model."""

from mu.agent.wiki.agent import WikiContextAgent
from mu.agent.wiki.overview import InitialContext
from mu.agent.wiki.pages import Page, WikiFailure
from mu.agent.wiki.research import WikiContext
from mu.agent.wiki.scoring import Hit

__all__ = ["Hit", "InitialContext", "Page", "WikiContext", "WikiContextAgent", "WikiFailure"]
