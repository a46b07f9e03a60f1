"""What every suite needs: the server's address, a key, and a model of each provider."""

import os

import pytest

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
os.environ["OPENAI_AGENTS_DISABLE_TRACING"] = "1"

MODELS = {
    "openai": "gpt-6-sol",
    "anthropic": "claude-sonnet-5-5",
    "gemini": "gemini-3.8-flash",
    "perplexity": "sonar-pro",
    "openrouter": "openrouter/anthropic/claude-opus-5.5",
}
# Perplexity's search models take no tools.
WITH_TOOLS = [model for provider, model in MODELS.items() if provider != "perplexity"]
URL = os.environ["SIGNALBOX_URL"]
KEY = os.environ["SIGNALBOX_KEY"]


@pytest.fixture(params=MODELS.values())
def model(request):
    return request.param


@pytest.fixture(params=WITH_TOOLS)
def tool_model(request):
    return request.param
