"""A conversation keeps its turns in whole exchanges."""

from mu.agent import ConversationMemory, ToolCall, ToolResult


def test_turns_are_given_as_the_api_takes_them() -> None:
    memory = ConversationMemory()
    memory.add_user_message("who calls it?")
    memory.add_assistant_message(
        "let me see", tool_calls=[ToolCall("c1", "mu_deps", {"node": "f"})]
    )
    memory.add_user_message("", tool_results=[ToolResult("c1", "mu_deps", "none", is_error=True)])

    assert memory.get_messages() == [
        {"role": "user", "content": [{"type": "text", "text": "who calls it?"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "let me see"},
                {"type": "tool_use", "id": "c1", "name": "mu_deps", "input": {"node": "f"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": "none", "is_error": True}
            ],
        },
    ]


def test_old_exchanges_go_whole() -> None:
    memory = ConversationMemory(max_messages=6)
    for number in range(3):
        memory.add_user_message(f"question {number}")
        memory.add_assistant_message("", tool_calls=[ToolCall("c", "t", {})])
        memory.add_user_message("", tool_results=[ToolResult("c", "t", "r")])
        memory.add_assistant_message("answer")

    assert memory.messages[0].content == "question 2"
    assert len(memory.messages) == 4
    assert memory.earlier == [
        "asked: question 0", "answered: answer", "asked: question 1", "answered: answer"
    ]  # fmt: skip


def test_what_is_kept_of_old_turns_is_bounded() -> None:
    memory = ConversationMemory(max_messages=2)
    for number in range(40):
        memory.add_user_message(f"question {number} " + "x" * 500)
        memory.add_assistant_message("answer")

    assert len(memory.earlier) == 20
    assert max(map(len, memory.earlier)) < 220
    assert memory.earlier[-2].startswith("asked: question 38 ")


def test_a_question_with_more_turns_than_there_is_room_for_stays() -> None:
    memory = ConversationMemory(max_messages=4)
    memory.add_user_message("question")
    for _ in range(5):
        memory.add_assistant_message("", tool_calls=[ToolCall("c", "t", {})])
        memory.add_user_message("", tool_results=[ToolResult("c", "t", "r")])

    assert memory.messages[0].content == "question"
    assert len(memory.messages) == 11


def test_nodes_that_were_named_are_noted_the_newest_last() -> None:
    memory = ConversationMemory()
    memory.add_assistant_message("see `fn:app/a.py:login` and cls:app/b.py:User.")
    memory.add_assistant_message("again fn:app/a.py:login, done")

    assert memory.mentioned_nodes == ["cls:app/b.py:User", "fn:app/a.py:login"]


def test_without_a_summary_of_the_graph_there_is_none() -> None:
    assert ConversationMemory().graph_summary is None


def test_clearing_keeps_what_is_known_of_the_graph() -> None:
    memory = ConversationMemory(graph_summary="3 nodes")
    memory.add_user_message("question about fn:a.py:f")

    memory.clear()

    assert memory.to_dict() == {
        "messages": [],
        "mentioned_nodes": [],
        "graph_summary": "3 nodes",
        "max_messages": 50,
        "earlier": [],
    }
