import type { Model } from '#gateway/contract'
import { firstPriced } from '../../../api/models.ts'
import { clientAddress } from '../../../api/client-address.ts'
import type { Language } from '../../../ui/highlight.ts'

export interface Snippet {
  id: string
  label: string
  language: Language
  source: string
}

const defaultModel = 'gpt-6-luna'
const question = 'Say hello from Signalbox.'

/** A model that the group can use, with a price if one has; without a provider key any name is as good as another. */
export function firstModel(models: readonly Pick<Model, 'id' | 'input_price_per_1m'>[]): string {
  const known = models.find(({ id }) => id === defaultModel)
  return (known ?? firstPriced(models))?.id ?? defaultModel
}

/** The first request, ready to paste. Without a key it has a placeholder. */
export function snippetsFor(baseUrl: string, key: string | null, model = defaultModel): Snippet[] {
  const address = clientAddress(baseUrl)
  const value = key ?? 'YOUR_KEY'
  return [
    { id: 'curl', label: 'curl', language: 'bash', source: curl(address, value, model) },
    { id: 'python', label: 'Python', language: 'python', source: python(address, value, model) },
    {
      id: 'typescript',
      label: 'TypeScript',
      language: 'typescript',
      source: typescript(address, value, model),
    },
  ]
}

const curl = (address: string, key: string, model: string) => `curl ${address}/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "messages": [{ "role": "user", "content": "${question}" }]
  }'`

const python = (address: string, key: string, model: string) => `# pip install openai
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

const typescript = (address: string, key: string, model: string) => `// npm install openai
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
