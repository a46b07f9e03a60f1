"""OpenAI's agents SDK, with chat completions and with responses."""

from agents import Agent, ModelSettings, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool
from agents import set_tracing_disabled
from conftest import KEY, URL
from openai import AsyncOpenAI
from pydantic import BaseModel

set_tracing_disabled(True)


class City(BaseModel):
    name: str
    people: int


@function_tool
def weather(city: str) -> str:
    """Tells the weather of a city."""
    return "sunny"


def models(name):
    client = AsyncOpenAI(base_url=f"{URL}/v1", api_key=KEY, max_retries=0)
    yield OpenAIChatCompletionsModel(model=name, openai_client=client)
    yield OpenAIResponsesModel(model=name, openai_client=client)


def run(agent, text):
    return Runner.run_sync(agent, text).final_output


def test_text(model):
    for each in models(model):
        assert "hello there" in run(Agent(name="plain", model=each), "hello there")


def test_tools(tool_model):
    for each in models(tool_model):
        assert "sunny" in run(Agent(name="tools", model=each, tools=[weather]), "call the tool")


def test_required_tool(tool_model):
    settings = ModelSettings(tool_choice="required")
    for each in models(tool_model):
        agent = Agent(name="tools", model=each, tools=[weather], model_settings=settings)
        assert "sunny" in run(agent, "call the tool")


def test_structured_output(tool_model):
    for each in models(tool_model):
        assert isinstance(run(Agent(name="typed", model=each, output_type=City), "a city"), City)
