import { after } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { commandLine } from '../run/command-line.ts'

export const eras = { legacy: '2025-11-25', auto: '2026-07-28' } as const
export type Era = keyof typeof eras

/** The official client, over HTTP. */
export async function httpClient(url: string, key: string, era: Era = 'auto'): Promise<Client> {
  const headers = { authorization: `Bearer ${key}` }
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } })
  return connected(transport, era)
}

/** The official client, with `signalbox mcp` as its process. */
export async function stdioClient(url: string, key: string, era: Era = 'auto'): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [commandLine(), 'mcp', '--to', url],
    env: { SIGNALBOX_API_KEY: key, PATH: '/usr/bin:/bin' },
  })
  return connected(transport, era)
}

async function connected(transport: Parameters<Client['connect']>[0], mode: Era): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  after(() => client.close())
  return client
}

/** Calls a tool and gives what programs read of its result. */
export async function callTool(client: Client, name: string, input: Record<string, unknown> = {}) {
  const { _meta: meta, ...result } = await client.callTool({ name, arguments: input })
  // Tests read results freely; a wrong guess fails the assertion beside it.
  // oxlint-disable-next-line typescript/no-explicit-any
  const facts = (result.structuredContent ?? { error: meta?.['signalbox/error'] }) as any
  const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  return { isError: result.isError === true, facts, text, meta }
}
