"""pydantic-ai: its default structured output is a forced tool call."""

from conftest import KEY, URL
from pydantic import BaseModel
from pydantic_ai import Agent, NativeOutput
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider
import pytest

openai_provider = OpenAIProvider(base_url=f"{URL}/v1", api_key=KEY)
anthropic_provider = AnthropicProvider(base_url=URL, api_key=KEY)


class City(BaseModel):
    name: str
    people: int


def models(name):
    yield OpenAIChatModel(name, provider=openai_provider)
    yield OpenAIResponsesModel(name, provider=openai_provider)
    yield AnthropicModel(name, provider=anthropic_provider)


def test_text(model):
    for each in models(model):
        assert "hello there" in Agent(each).run_sync("hello there").output


def test_structured_output(tool_model):
    for each in models(tool_model):
        assert isinstance(Agent(each, output_type=City).run_sync("a city").output, City)


def test_native_output(tool_model):
    for each in list(models(tool_model))[:2]:
        assert isinstance(Agent(each, output_type=NativeOutput(City)).run_sync("a city").output, City)


def test_tools(tool_model):
    for each in models(tool_model):
        agent = Agent(each)
        asked = []

        @agent.tool_plain
        def weather(city: str) -> str:
            asked.append(city)
            return "sunny"

        assert "sunny" in agent.run_sync("call the tool").output
        assert len(asked) == 1
