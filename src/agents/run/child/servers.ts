import { setTimeout as sleep } from 'node:timers/promises'
import { Client, ProtocolError } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { LoopStop } from '#kernel/agent-loop'
import { markName } from '../process-tree.ts'
import type { ServerToStart } from '../protocol.ts'
import type { ToolTraits } from './permission.ts'

export interface ServerTool extends ToolTraits {
  name: string
  server: string
  description: string
  inputSchema: Record<string, unknown>
  call(input: Record<string, unknown>): Promise<ToolOutput>
}

export interface ToolOutput {
  text: string
  isError: boolean
  /** Set where the SQL proxy asks a person first. */
  approvalId: string | undefined
}

const connectMs = 20_000
const closeMs = 1_000
const callMs = 120_000
const maxCallMs = 3_600_000
const maxTools = 128
const maxDescription = 4_000
const maxBufferSize = 4 * 1024 * 1024
const keptErrors = 500

export interface ToolServers {
  tools: ServerTool[]
  /** Lets them end by themselves, for a moment. */
  close(): Promise<void>
}

/** Starts the tool servers of the agent. One that cannot be used ends the run, because its tools would be missing. */
export async function connectServers(servers: readonly ServerToStart[], runId: string): Promise<ToolServers> {
  const found = await Promise.all(servers.map((server) => connect(server, runId)))
  return {
    tools: namedApart(found.flatMap(({ tools }) => tools)),
    async close() {
      await Promise.race([Promise.allSettled(found.map(({ client }) => client.close())), sleep(closeMs)])
    },
  }
}

/** Two servers may have tools of the same name, and models accept few characters in it. */
function namedApart(found: readonly ServerTool[]): ServerTool[] {
  const tools = new Map<string, ServerTool>()
  for (const tool of found) {
    const name = [tool.name, `${tool.server}_${tool.name}`]
      .map((each) => each.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64))
      .find((each) => !tools.has(each))
    if (name !== undefined && tools.size < maxTools) tools.set(name, { ...tool, name })
  }
  return [...tools.values()]
}

async function connect(
  server: ServerToStart,
  runId: string,
): Promise<{ client: Client; tools: ServerTool[] }> {
  const errors = { text: '' }
  try {
    const client = await open(server, runId, errors)
    const { tools } = await withDeadline(client.listTools({}, { timeout: connectMs }))
    return { client, tools: tools.map((tool) => toServerTool(server, client, tool)) }
  } catch (error) {
    throw new LoopStop('mcp_server', explain(server, error, errors.text))
  }
}

/**
 * Begins with the handshake that nearly every server knows. Asking for the version first would start each of them a
 * second time, as the client does it; so this is done only for one that refuses the handshake.
 */
async function open(server: ServerToStart, runId: string, errors: { text: string }): Promise<Client> {
  try {
    return await handshake(server, runId, errors, 'legacy')
  } catch (error) {
    if (server.isPlatform || !(error instanceof ProtocolError)) throw error
    return handshake(server, runId, errors, 'auto')
  }
}

async function handshake(
  { command, args, env }: ServerToStart,
  runId: string,
  errors: { text: string },
  mode: 'legacy' | 'auto',
): Promise<Client> {
  const transport = new StdioClientTransport({
    command,
    args,
    // The mark by which what a server leaves behind is found.
    env: { ...env, [markName]: runId },
    maxBufferSize,
    stderr: 'pipe',
  })
  transport.stderr?.on('data', (chunk: Buffer) => {
    errors.text = (errors.text + chunk.toString()).slice(-keptErrors)
  })
  const client = new Client({ name: 'signalbox-agent', version: '1' }, { versionNegotiation: { mode } })
  await withDeadline(client.connect(transport, { timeout: connectMs }))
  return client
}

type ListedTool = Awaited<ReturnType<Client['listTools']>>['tools'][number]

function toServerTool(server: ServerToStart, client: Client, tool: ListedTool): ServerTool {
  const { name, description = '', inputSchema, annotations = {}, _meta: meta = {} } = tool
  return {
    name,
    server: server.name,
    description: description.slice(0, maxDescription),
    inputSchema,
    isReader: annotations.readOnlyHint === true,
    isDestructive: annotations.destructiveHint !== false,
    isJudged: server.isPlatform && meta['signalbox/judged'] === true,
    async call(input) {
      const result = await client.callTool(
        { name, arguments: input },
        {
          timeout: callMs,
          maxTotalTimeout: maxCallMs,
          resetTimeoutOnProgress: true,
          onprogress: () => undefined,
        },
      )
      return {
        text: result.content.map(textOf).join('\n'),
        isError: result.isError === true,
        approvalId: server.isPlatform ? approvalIn(result.structuredContent) : undefined,
      }
    },
  }
}

function textOf(part: { type: string; text?: unknown; resource?: unknown }): string {
  if (part.type === 'text') return String(part.text)
  const { text } = (part.resource ?? {}) as { text?: unknown }
  return typeof text === 'string' ? text : `[${part.type}]`
}

function approvalIn(content: unknown): string | undefined {
  const { status, approval_id: id } = (content ?? {}) as { status?: unknown; approval_id?: unknown }
  return status === 'pending_approval' && typeof id === 'string' ? id : undefined
}

/** The SDK's own timeout does not cover a process that starts and says nothing in every version. */
async function withDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const seconds = connectMs / 1_000
    timer = setTimeout(() => reject(new Error(`it did not answer within ${seconds} s`)), connectMs + 1_000)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function explain({ name, command }: ServerToStart, error: unknown, errors: string): string {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const reason =
    code === 'ENOENT'
      ? `the command "${command}" was not found`
      : code === 'EACCES'
        ? `the command "${command}" cannot be executed`
        : String(message)
  const said = errors.trim() === '' ? '' : ` It wrote: ${errors.trim()}`
  return `The tool server "${name}" could not be used: ${reason}.${said}`
}
