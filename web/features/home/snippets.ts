import { clientAddress } from '../../api/client-address.ts'
import type { Language } from '../../ui/highlight.ts'

export interface Snippet {
  id: string
  label: string
  language: Language
  source: string
}

const model = 'gpt-6-luna'
const question = 'Say hello from Signalbox.'

/** The first request, ready to paste. Without a key it has a placeholder. */
export function snippetsFor(baseUrl: string, key: string | null): Snippet[] {
  const address = clientAddress(baseUrl)
  const value = key ?? 'YOUR_KEY'
  return [
    { id: 'curl', label: 'curl', language: 'bash', source: curl(address, value) },
    { id: 'python', label: 'Python', language: 'python', source: python(address, value) },
    { id: 'typescript', label: 'TypeScript', language: 'typescript', source: typescript(address, value) },
  ]
}

const curl = (address: string, key: string) => `curl ${address}/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "messages": [{ "role": "user", "content": "${question}" }]
  }'`

const python = (address: string, key: string) => `# pip install openai
from openai import OpenAI

client = OpenAI(
    base_url="${address}",
    api_key="${key}",
)
response = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "${question}"}],
)
print(response.choices[0].message.content)`

const typescript = (address: string, key: string) => `// npm install openai
import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${address}',
  apiKey: '${key}',
})
const response = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: '${question}' }],
})
console.log(response.choices[0]?.message.content)`
