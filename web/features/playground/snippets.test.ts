import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf } from './request-body.ts'
import type { Api } from './request-apis.ts'
import { noSettings, type Settings } from './settings.ts'
import { snippetsFor } from './snippets.ts'
import type { Turn } from './types.ts'

const user = (text: string): Turn => ({ role: 'user', id: 1, text })
const set: Settings = { system: 'Be terse.', temperature: '0.5', maxTokens: '100', effort: '' }

interface Case {
  api: Api
  stream?: boolean
  model?: string
  settings?: Settings
  turns?: Turn[]
}

function codeOf({ api, stream = false, model = 'gemini-x', settings = noSettings, turns }: Case) {
  const body = bodyOf(model, settings, turns ?? [user('hi')])
  const { snippets, notes } = snippetsFor({ baseUrl: 'http://signalbox:8000/', body, api, stream })
  const source = Object.fromEntries(snippets.map((snippet) => [snippet.id, snippet.source]))
  return { curl: source['curl'], python: source['python'], typescript: source['typescript'], notes }
}

/** What curl would send. */
const sentBy = (curl = ''): unknown => JSON.parse(curl.slice(curl.indexOf("-d '") + 4, -1))

test('a chat completion with everything set', () => {
  const code = codeOf({ api: 'chat', settings: set })
  assert.equal(
    code.curl,
    `curl http://signalbox:8000/v1/chat/completions \\
  -H "Authorization: Bearer YOUR_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
  "model": "gemini-x",
  "temperature": 0.5,
  "max_tokens": 100,
  "messages": [
    {
      "role": "system",
      "content": "Be terse."
    },
    {
      "role": "user",
      "content": "hi"
    }
  ]
}'`,
  )
  assert.equal(
    code.python,
    `# pip install openai
from openai import OpenAI

client = OpenAI(
    base_url="http://signalbox:8000/v1",
    api_key="YOUR_KEY",
)
response = client.chat.completions.create(
    model="gemini-x",
    temperature=0.5,
    max_tokens=100,
    messages=[
        {"role": "system", "content": "Be terse."},
        {"role": "user", "content": "hi"},
    ],
)
print(response.choices[0].message.content)`,
  )
  assert.equal(
    code.typescript,
    `// npm install openai
import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: 'http://signalbox:8000/v1',
  apiKey: 'YOUR_KEY',
})
const response = await client.chat.completions.create({
  model: "gemini-x",
  temperature: 0.5,
  max_tokens: 100,
  messages: [
    { role: "system", content: "Be terse." },
    { role: "user", content: "hi" },
  ],
})
console.log(response.choices[0]?.message.content)`,
  )
  assert.deepEqual(code.notes, [])
})

test('a response with everything set', () => {
  const code = codeOf({ api: 'responses', settings: { ...set, effort: 'low' } })
  assert.equal(
    code.curl,
    `curl http://signalbox:8000/v1/responses \\
  -H "Authorization: Bearer YOUR_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
  "model": "gemini-x",
  "instructions": "Be terse.",
  "temperature": 0.5,
  "max_output_tokens": 100,
  "reasoning": {
    "effort": "low"
  },
  "input": "hi"
}'`,
  )
  assert.equal(
    code.python,
    `# pip install openai
from openai import OpenAI

client = OpenAI(
    base_url="http://signalbox:8000/v1",
    api_key="YOUR_KEY",
)
response = client.responses.create(
    model="gemini-x",
    instructions="Be terse.",
    temperature=0.5,
    max_output_tokens=100,
    reasoning={"effort": "low"},
    input="hi",
)
print(response.output_text)`,
  )
  assert.equal(
    code.typescript,
    `// npm install openai
import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: 'http://signalbox:8000/v1',
  apiKey: 'YOUR_KEY',
})
const response = await client.responses.create({
  model: "gemini-x",
  instructions: "Be terse.",
  temperature: 0.5,
  max_output_tokens: 100,
  reasoning: { effort: "low" },
  input: "hi",
})
console.log(response.output_text)`,
  )
  assert.deepEqual(code.notes, [])
})

test('a message with everything set', () => {
  const code = codeOf({ api: 'messages', settings: set })
  assert.equal(
    code.curl,
    `curl http://signalbox:8000/v1/messages \\
  -H "x-api-key: YOUR_KEY" \\
  -H "anthropic-version: 2023-06-01" \\
  -H "Content-Type: application/json" \\
  -d '{
  "model": "gemini-x",
  "max_tokens": 100,
  "system": "Be terse.",
  "temperature": 0.5,
  "messages": [
    {
      "role": "user",
      "content": "hi"
    }
  ]
}'`,
  )
  assert.equal(
    code.python,
    `# pip install anthropic
from anthropic import Anthropic

client = Anthropic(
    base_url="http://signalbox:8000",
    api_key="YOUR_KEY",
)
response = client.messages.create(
    model="gemini-x",
    max_tokens=100,
    system="Be terse.",
    temperature=0.5,
    messages=[
        {"role": "user", "content": "hi"},
    ],
)
print("".join(block.text for block in response.content if block.type == "text"))`,
  )
  assert.equal(
    code.typescript,
    `// npm install @anthropic-ai/sdk
import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({
  baseURL: 'http://signalbox:8000',
  apiKey: 'YOUR_KEY',
})
const response = await client.messages.create({
  model: "gemini-x",
  max_tokens: 100,
  system: "Be terse.",
  temperature: 0.5,
  messages: [
    { role: "user", content: "hi" },
  ],
})
console.log(response.content.map((block) => (block.type === 'text' ? block.text : '')).join(''))`,
  )
  assert.deepEqual(code.notes, [])
})

test('each API reads its own stream', () => {
  const after = (text = '', mark: string) => text.slice(text.indexOf(mark))
  const [chat, responses, messages] = (['chat', 'responses', 'messages'] as const).map((api) =>
    codeOf({ api, stream: true }),
  )
  assert.ok(chat && responses && messages)
  assert.match(chat.curl ?? '', /^curl -N http:\/\/signalbox:8000\/v1\/chat\/completions /)
  for (const { curl } of [chat, responses, messages])
    assert.equal((sentBy(curl) as { stream?: boolean }).stream, true)
  assert.equal(
    after(chat.python, 'stream = '),
    `stream = client.chat.completions.create(
    model="gemini-x",
    messages=[
        {"role": "user", "content": "hi"},
    ],
    stream=True,
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)`,
  )
  assert.equal(
    after(chat.typescript, 'const stream'),
    `const stream = await client.chat.completions.create({
  model: "gemini-x",
  messages: [
    { role: "user", content: "hi" },
  ],
  stream: true,
})
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? '')
}`,
  )
  assert.equal(
    after(responses.python, 'stream = '),
    `stream = client.responses.create(
    model="gemini-x",
    input="hi",
    stream=True,
)
for event in stream:
    if event.type == "response.output_text.delta":
        print(event.delta, end="", flush=True)`,
  )
  assert.equal(
    after(responses.typescript, 'const stream'),
    `const stream = await client.responses.create({
  model: "gemini-x",
  input: "hi",
  stream: true,
})
for await (const event of stream) {
  if (event.type === 'response.output_text.delta') process.stdout.write(event.delta)
}`,
  )
  assert.equal(
    after(messages.python, 'stream = '),
    `stream = client.messages.create(
    model="gemini-x",
    max_tokens=8192,
    messages=[
        {"role": "user", "content": "hi"},
    ],
    stream=True,
)
for event in stream:
    if event.type == "content_block_delta" and event.delta.type == "text_delta":
        print(event.delta.text, end="", flush=True)`,
  )
  assert.equal(
    after(messages.typescript, 'const stream'),
    `const stream = await client.messages.create({
  model: "gemini-x",
  max_tokens: 8192,
  messages: [
    { role: "user", content: "hi" },
  ],
  stream: true,
})
for await (const event of stream) {
  if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') {
    process.stdout.write(event.delta.text)
  }
}`,
  )
})
