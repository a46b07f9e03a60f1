/** One virtual environment, and what runs in it. Several, because their packages need different versions of one. */
export interface Environment {
  name: string
  packages: string[]
  suites: string[]
  /** Of docs/clients, whose Python runs as it is on the page. */
  pages?: string[]
}

export const environments: Environment[] = [
  {
    name: 'current',
    packages: [
      'openai==3.49.0',
      'anthropic==2.8.0',
      'langchain-tests==1.1.9',
      'langchain-openai==1.7.3',
      'langchain-anthropic==1.7.7',
      'pydantic-ai-slim[openai,anthropic]==2.66.0',
      'openai-agents==0.24.0',
      'pytest==9.2.0',
    ],
    suites: ['test_sdks.py', 'test_langchain.py', 'test_pydantic_ai.py', 'test_openai_agents.py'],
    pages: ['openai.md', 'anthropic.md', 'langchain.md', 'pydantic-ai.md'],
  },
  {
    name: 'litellm',
    packages: ['litellm==1.106.2', 'mcp', 'instructor==1.17.0', 'anthropic==2.8.0', 'pytest==9.2.0'],
    suites: ['test_litellm.py', 'test_instructor.py'],
  },
  {
    name: 'llamaindex',
    packages: ['llama-index-llms-openai-like==0.8.1'],
    suites: [],
    pages: ['llamaindex.md'],
  },
]
