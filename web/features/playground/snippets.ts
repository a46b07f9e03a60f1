import { clientAddress } from '../../api/client-address.ts'
import type { Language } from '../../ui/highlight.ts'
import { clients, type Client } from './api-clients.ts'
import { shellQuoted } from '../../ui/shell-quote.ts'
import { argumentLines, styles } from './literals.ts'
import type { ChatBody } from './request-body.ts'
import { bodyFor, type Api, type Value } from './request-apis.ts'

interface Snippet {
  id: string
  label: string
  language: Language
  source: string
}

interface SnippetOptions {
  /** The address of Signalbox without a path. */
  baseUrl: string
  body: ChatBody
  api: Api
  stream: boolean
}

/** The conversation as code. The key is a placeholder: the playground has none. */
export function snippetsFor({ baseUrl, body, api, stream }: SnippetOptions): {
  snippets: Snippet[]
  notes: string[]
} {
  const { fields, notes } = bodyFor(api, body)
  const sent = stream ? { ...fields, stream: true } : fields
  const client = clients[api]
  const root = baseUrl.replace(/\/+$/, '')
  const address = api === 'messages' ? root : clientAddress(root)
  const call = { client, address, fields: sent, stream }
  return {
    snippets: [
      { id: 'curl', label: 'curl', language: 'bash', source: curl(`${root}${client.path}`, call) },
      { id: 'python', label: 'Python', language: 'python', source: python(call) },
      { id: 'typescript', label: 'TypeScript', language: 'typescript', source: typescript(call) },
    ],
    notes,
  }
}

interface Call {
  client: Client
  address: string
  fields: Record<string, Value>
  stream: boolean
}

const curl = (url: string, { client, fields, stream }: Call) => `curl ${stream ? '-N ' : ''}${url} \\
${client.headers.map((header) => `  -H "${header}" \\\n`).join('')}  -H "Content-Type: application/json" \\
  -d ${shellQuoted(JSON.stringify(fields, null, 2))}`

const python = ({ client, address, fields, stream }: Call) => `# pip install ${client.python.install}
from ${client.python.install} import ${client.name}

client = ${client.name}(
    base_url="${address}",
    api_key="YOUR_KEY",
${waitsLong(client, fields, stream) ? '    timeout=3600,\n' : ''})
${stream ? 'stream' : 'response'} = client.${client.call}(
${argumentLines(fields, styles.python)})
${stream ? client.python.readStream : client.python.readResponse}`

const typescript = ({ client, address, fields, stream }: Call) => `// npm install ${client.typescript.install}
import ${client.name} from '${client.typescript.install}'

const client = new ${client.name}({
  baseURL: '${address}',
  apiKey: 'YOUR_KEY',
${waitsLong(client, fields, stream) ? '  timeout: 3_600_000,\n' : ''}})
const ${stream ? 'stream' : 'response'} = await client.${client.call}({
${argumentLines(fields, styles.typescript)}})
${stream ? client.typescript.readStream : client.typescript.readResponse}`

/** Without an explicit timeout this client rejects a long response that is not streamed. */
function waitsLong(client: Client, { max_tokens: limit }: Record<string, Value>, stream: boolean): boolean {
  return client.refusesToWait && !stream && typeof limit === 'number' && limit > 8192
}
