import type { Api } from './request-apis.ts'

interface Reading {
  install: string
  readResponse: string
  readStream: string
}

/** How each API is called, and where its client puts the text of a response. */
export interface Client {
  path: string
  /** The headers with the key, for curl. */
  headers: readonly string[]
  name: string
  call: string
  refusesToWait: boolean
  python: Reading
  typescript: Reading
}

const bearer = ['Authorization: Bearer YOUR_KEY']
const openai = { headers: bearer, name: 'OpenAI', refusesToWait: false }

const chat: Client = {
  ...openai,
  path: '/v1/chat/completions',
  call: 'chat.completions.create',
  python: {
    install: 'openai',
    readResponse: 'print(response.choices[0].message.content)',
    readStream: `for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)`,
  },
  typescript: {
    install: 'openai',
    readResponse: 'console.log(response.choices[0]?.message.content)',
    readStream: `for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? '')
}`,
  },
}

const responses: Client = {
  ...openai,
  path: '/v1/responses',
  call: 'responses.create',
  python: {
    install: 'openai',
    readResponse: 'print(response.output_text)',
    readStream: `for event in stream:
    if event.type == "response.output_text.delta":
        print(event.delta, end="", flush=True)`,
  },
  typescript: {
    install: 'openai',
    readResponse: 'console.log(response.output_text)',
    readStream: `for await (const event of stream) {
  if (event.type === 'response.output_text.delta') process.stdout.write(event.delta)
}`,
  },
}

const messages: Client = {
  path: '/v1/messages',
  headers: ['x-api-key: YOUR_KEY', 'anthropic-version: 2023-06-01'],
  name: 'Anthropic',
  call: 'messages.create',
  refusesToWait: true,
  python: {
    install: 'anthropic',
    readResponse: 'print("".join(block.text for block in response.content if block.type == "text"))',
    readStream: `for event in stream:
    if event.type == "content_block_delta" and event.delta.type == "text_delta":
        print(event.delta.text, end="", flush=True)`,
  },
  typescript: {
    install: '@anthropic-ai/sdk',
    readResponse: `console.log(response.content.map((block) => (block.type === 'text' ? block.text : '')).join(''))`,
    readStream: `for await (const event of stream) {
  if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') {
    process.stdout.write(event.delta.text)
  }
}`,
  },
}

export const clients: Record<Api, Client> = { chat, responses, messages }
