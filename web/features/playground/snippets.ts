import { clientAddress } from '../../api/client-address.ts'
import type { Language } from '../../ui/highlight.ts'
import { clients, type Client } from './form-clients.ts'
import { shellQuoted } from '../../ui/shell-quote.ts'
import { argumentLines, styles } from './literals.ts'
import type { ChatBody } from './request-body.ts'
import { inForm, type Form, type Value } from './request-forms.ts'

interface Snippet {
  id: string
  label: string
  language: Language
  source: string
}

interface Wish {
  /** Of the box, without a path. */
  baseUrl: string
  body: ChatBody
  form: Form
  stream: boolean
}

/** The present conversation as a call. The key is left to be filled in: the playground has none. */
export function snippetsFor({ baseUrl, body, form, stream }: Wish): { snippets: Snippet[]; notes: string[] } {
  const { fields, notes } = inForm(form, body)
  const sent = stream ? { ...fields, stream: true } : fields
  const client = clients[form]
  const root = baseUrl.replace(/\/+$/, '')
  const address = form === 'messages' ? root : clientAddress(root)
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
${stream ? 'stream' : 'answer'} = client.${client.call}(
${argumentLines(fields, styles.python)})
${stream ? client.python.readStream : client.python.readAnswer}`

const typescript = ({ client, address, fields, stream }: Call) => `// npm install ${client.typescript.install}
import ${client.name} from '${client.typescript.install}'

const client = new ${client.name}({
  baseURL: '${address}',
  apiKey: 'YOUR_KEY',
${waitsLong(client, fields, stream) ? '  timeout: 3_600_000,\n' : ''}})
const ${stream ? 'stream' : 'answer'} = await client.${client.call}({
${argumentLines(fields, styles.typescript)}})
${stream ? client.typescript.readStream : client.typescript.readAnswer}`

/** Without a time limit of its own, the client refuses to wait for a whole answer that may be very long. */
function waitsLong(client: Client, { max_tokens: limit }: Record<string, Value>, stream: boolean): boolean {
  return client.refusesToWait && !stream && typeof limit === 'number' && limit > 8192
}
