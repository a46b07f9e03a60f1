import { clientAddress } from '../../api/client-address.ts'
import type { Language } from '../../ui/highlight.ts'
import type { ChatBody } from './request-body.ts'

interface Snippet {
  id: string
  label: string
  language: Language
  source: string
}

/** The present conversation as a call. The key is left to be filled in: the playground has none. */
export function snippetsFor(baseUrl: string, body: ChatBody): Snippet[] {
  const address = clientAddress(baseUrl)
  return [
    { id: 'curl', label: 'curl', language: 'bash', source: curl(address, body) },
    { id: 'python', label: 'Python', language: 'python', source: python(address, body) },
    { id: 'typescript', label: 'TypeScript', language: 'typescript', source: typescript(address, body) },
  ]
}

/** Within single quotes the shell takes everything as it is, except a single quote. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const curl = (address: string, body: ChatBody) => `curl ${address}/chat/completions \\
  -H "Authorization: Bearer YOUR_KEY" \\
  -H "Content-Type: application/json" \\
  -d ${quoted(JSON.stringify(body, null, 2))}`

/** Strings and numbers are written alike in JSON, Python and TypeScript. */
function fieldsOf(
  { messages: _messages, ...rest }: ChatBody,
  field: (name: string, value: string) => string,
): string {
  return Object.entries(rest)
    .map(([name, value]) => `${field(name, JSON.stringify(value))}\n`)
    .join('')
}

const python = (address: string, body: ChatBody) => `# pip install openai
from openai import OpenAI

client = OpenAI(
    base_url="${address}",
    api_key="YOUR_KEY",
)
answer = client.chat.completions.create(
${fieldsOf(body, (name, value) => `    ${name}=${value},`)}    messages=[
${body.messages.map(({ role, content }) => `        {"role": "${role}", "content": ${JSON.stringify(content)}},\n`).join('')}    ],
)
print(answer.choices[0].message.content)`

const typescript = (address: string, body: ChatBody) => `// npm install openai
import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${address}',
  apiKey: 'YOUR_KEY',
})
const answer = await client.chat.completions.create({
${fieldsOf(body, (name, value) => `  ${name}: ${value},`)}  messages: [
${body.messages.map(({ role, content }) => `    { role: '${role}', content: ${JSON.stringify(content)} },\n`).join('')}  ],
})
console.log(answer.choices[0]?.message.content)`
