"""Answer questions about a repository with a model, over the operations as tools.

`MUAgent` is the whole of it, and `WikiContextAgent` its like for a folder of pages; what needs a
model's library imports it with the first request.
"""

from mu.agent.agent import MUAgent
from mu.agent.memory import ConversationMemory
from mu.agent.prompt import GraphSummary
from mu.agent.values import (
    AgentConfig,
    AgentResponse,
    Citation,
    Message,
    ToolCall,
    ToolResult,
    Usage,
)
from mu.agent.wiki import WikiContext, WikiContextAgent

__all__ = [
    "AgentConfig",
    "AgentResponse",
    "Citation",
    "ConversationMemory",
    "GraphSummary",
    "MUAgent",
    "Message",
    "ToolCall",
    "ToolResult",
    "Usage",
    "WikiContext",
    "WikiContextAgent",
]
