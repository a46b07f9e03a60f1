"""litellm's SDK, which passes its own parameters through."""

import litellm
from conftest import KEY, URL

tools = [
    {
        "type": "function",
        "function": {
            "name": "weather",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        },
    }
]


def complete(model, text, **given):
    messages = [{"role": "user", "content": text}]
    return litellm.completion(
        model=f"openai/{model}", api_base=f"{URL}/v1", api_key=KEY, messages=messages, num_retries=0, **given
    )


def test_text(model):
    assert "hello there" in complete(model, "hello there").choices[0].message.content


def test_stream(model):
    parts = list(complete(model, "hello there", stream=True))
    assert "hello there" in "".join(part.choices[0].delta.content or "" for part in parts)


def test_tools(tool_model):
    answer = complete(tool_model, "call the tool", tools=tools)
    assert answer.choices[0].message.tool_calls[0].function.name == "weather"


def test_messages(model):
    answer = litellm.completion(
        model=f"anthropic/{model}",
        api_base=URL,
        api_key=KEY,
        messages=[{"role": "user", "content": "hello there"}],
        num_retries=0,
    )
    assert "hello there" in answer.choices[0].message.content
