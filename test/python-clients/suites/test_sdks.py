"""The SDKs of OpenAI and Anthropic, each with a model of every provider."""

import anthropic
import openai
import pytest
from conftest import KEY, URL
from pydantic import BaseModel

oai = openai.OpenAI(base_url=f"{URL}/v1", api_key=KEY, max_retries=0)
ant = anthropic.Anthropic(base_url=URL, api_key=KEY, max_retries=0)
weather = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


class City(BaseModel):
    name: str
    people: int


def ask(text):
    return [{"role": "user", "content": text}]


def test_chat(model):
    answer = oai.chat.completions.create(model=model, messages=ask("hello there"))
    assert "hello there" in answer.choices[0].message.content
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens > 0


def test_chat_stream_with_usage(model):
    options = {"include_usage": True}
    with oai.chat.completions.create(model=model, messages=ask("hello"), stream=True, stream_options=options) as parts:
        parts = list(parts)
    assert "hello" in "".join(part.choices[0].delta.content or "" for part in parts if part.choices)
    assert [part.usage.total_tokens > 0 for part in parts if part.usage] == [True]


def test_chat_stream_without_usage(model):
    with oai.chat.completions.create(model=model, messages=ask("hello"), stream=True) as parts:
        assert [part.usage for part in parts if part.usage] == []


def test_chat_tool_loop(tool_model):
    tools = [{"type": "function", "function": {"name": "weather", "parameters": weather}}]
    messages = ask("call the tool")
    first = oai.chat.completions.create(model=tool_model, messages=messages, tools=tools).choices[0]
    assert first.finish_reason == "tool_calls"
    (call,) = first.message.tool_calls
    messages += [first.message, {"role": "tool", "tool_call_id": call.id, "content": "sunny"}]
    second = oai.chat.completions.create(model=tool_model, messages=messages, tools=tools).choices[0]
    assert "sunny" in second.message.content


def test_chat_parsed(tool_model):
    answer = oai.chat.completions.parse(model=tool_model, messages=ask("a city"), response_format=City)
    assert isinstance(answer.choices[0].message.parsed, City)


def test_responses(model):
    answer = oai.responses.create(model=model, input="hello there")
    assert answer.status == "completed" and "hello there" in answer.output_text


def test_responses_stream(model):
    with oai.responses.stream(model=model, input="hello there") as events:
        text = "".join(event.delta for event in events if event.type == "response.output_text.delta")
        assert text == events.get_final_response().output_text and "hello there" in text


def test_responses_tool_loop(tool_model):
    tools = [{"type": "function", "name": "weather", "parameters": weather, "strict": False}]
    first = oai.responses.create(model=tool_model, input="call the tool", tools=tools)
    (call,) = [item for item in first.output if item.type == "function_call"]
    turns = [*ask("call the tool"), *[item.model_dump(exclude_none=True) for item in first.output]]
    turns.append({"type": "function_call_output", "call_id": call.call_id, "output": "sunny"})
    assert "sunny" in oai.responses.create(model=tool_model, input=turns, tools=tools).output_text


def test_messages(model):
    answer = ant.messages.create(model=model, max_tokens=100, messages=ask("hello there"))
    assert "hello there" in answer.content[-1].text and answer.stop_reason == "end_turn"
    assert answer.usage.input_tokens > 0 and answer.usage.output_tokens > 0


def test_messages_stream(model):
    with ant.messages.stream(model=model, max_tokens=100, messages=ask("hello there")) as events:
        text = "".join(events.text_stream)
        assert "hello there" in text and events.get_final_message().usage.output_tokens > 0


def test_messages_tool_loop(tool_model):
    tools = [{"name": "weather", "input_schema": weather}]
    messages = ask("call the tool")
    first = ant.messages.create(model=tool_model, max_tokens=100, messages=messages, tools=tools)
    assert first.stop_reason == "tool_use"
    (call,) = [part for part in first.content if part.type == "tool_use"]
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "sunny"}
    messages += [{"role": "assistant", "content": first.content}, {"role": "user", "content": [result]}]
    second = ant.messages.create(model=tool_model, max_tokens=100, messages=messages, tools=tools)
    assert "sunny" in second.content[-1].text


def test_count_tokens(model):
    assert ant.messages.count_tokens(model=model, messages=ask("hello there")).input_tokens > 0


def test_models():
    names = {each.id for each in oai.models.list()}
    assert {"gpt-6-sol", "claude-sonnet-5-5"} <= names
    assert oai.models.retrieve("gpt-6-sol").id == "gpt-6-sol"
    strict = anthropic.Anthropic(base_url=URL, api_key=KEY, _strict_response_validation=True)
    assert strict.models.retrieve("claude-sonnet-5-5").lifecycle == "active"
    assert "claude-sonnet-5-5" in {each.id for each in strict.models.list(limit=100)}


def test_embeddings():
    answer = oai.embeddings.create(model="signalbox-static-768", input=["one", "two"], encoding_format="float")
    assert [len(each.embedding) for each in answer.data] == [768, 768]


def test_errors():
    with pytest.raises(openai.NotFoundError):
        oai.chat.completions.create(model="gpt-does-not-exist", messages=ask("hello"))
    with pytest.raises(anthropic.NotFoundError):
        ant.messages.create(model="claude-does-not-exist", max_tokens=10, messages=ask("hello"))
    with pytest.raises(openai.AuthenticationError):
        openai.OpenAI(base_url=f"{URL}/v1", api_key="sb-wrong", max_retries=0).models.list()
    with pytest.raises(anthropic.BadRequestError):
        ant.messages.create(model="claude-sonnet-5-5", max_tokens=-1, messages=ask("hello"))
