import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequests,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { text } from './contents.ts'

/** What a tool gave to the client to bring back, sealed, because a server keeps nothing between two requests. */
export const state = createRequestStateCodec<{ round: number; name?: string }>({
  key: crypto.getRandomValues(new Uint8Array(32)),
})

type Asked = CallToolResult | InputRequiredResult
type Request = ServerContext['mcpReq']

type Field = { type: 'string' } | { type: 'boolean' }

/** One field that a person fills in. */
export const form = (message: string, field: string, kind: Field = { type: 'string' }) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: kind }, required: [field] },
  })

const sample = (content: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(content) }], maxTokens: 50 })

const done = (content: string): CallToolResult => ({ content: [text(content)] })

/** What the person wrote in the field. Undefined: not yet, or nothing that fits. */
export function filled({ inputResponses }: Request, key: string, field: string): string | undefined {
  const value = acceptedContent(inputResponses, key)?.[field]
  return typeof value === 'string' ? value : undefined
}

const replied = z.looseObject({ content: z.looseObject({ text: z.string() }) })
const listed = z.looseObject({ roots: z.array(z.unknown()) })

async function elicits(request: Request): Promise<Asked> {
  const name = filled(request, 'user_name', 'name')
  if (name !== undefined) return done(`Hello, ${name}!`)
  return inputRequired({ inputRequests: { user_name: form('What is your name?', 'name') } })
}

async function samples(request: Request): Promise<Asked> {
  const { data } = replied.safeParse(request.inputResponses?.['capital_question'])
  if (data) return done(data.content.text)
  return inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?') } })
}

async function listsRoots(request: Request): Promise<Asked> {
  const { data } = listed.safeParse(request.inputResponses?.['client_roots'])
  if (data) return done(`${data.roots.length} roots`)
  return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
}

async function asksForAll(request: Request): Promise<Asked> {
  const { inputResponses: given } = request
  const name = filled(request, 'user_name', 'name')
  const greeting = replied.safeParse(given?.['greeting']).data?.content.text
  const roots = listed.safeParse(given?.['client_roots']).data?.roots
  if (name !== undefined && greeting !== undefined && roots)
    return done(`${greeting} ${name}, ${roots.length} roots`)
  return inputRequired({
    inputRequests: {
      user_name: form('What is your name?', 'name'),
      greeting: sample('Generate a greeting'),
      client_roots: inputRequired.listRoots(),
    },
    requestState: await state.mint({ round: 1 }),
  })
}

/** The state that comes back must be the one that was given. */
async function bringsBackState(request: Request): Promise<Asked> {
  const isConfirmed = acceptedContent(request.inputResponses, 'confirm') !== undefined
  if (isConfirmed && request.requestState() !== undefined) return done('state-ok: it came back unchanged')
  return inputRequired({
    inputRequests: { confirm: form('Please confirm', 'ok', { type: 'boolean' }) },
    requestState: await state.mint({ round: 1 }),
  })
}

async function asksTwice(request: Request): Promise<Asked> {
  const { round, name } = request.requestState<{ round: number; name?: string }>() ?? { round: 0 }
  if (round === 0)
    return inputRequired({
      inputRequests: { step1: form('What is your name?', 'name') },
      requestState: await state.mint({ round: 1 }),
    })
  if (round === 1)
    return inputRequired({
      inputRequests: { step2: form('What is your favorite color?', 'color') },
      requestState: await state.mint({ round: 2, name: filled(request, 'step1', 'name') ?? 'Nobody' }),
    })
  return done(`${name} likes ${filled(request, 'step2', 'color')}`)
}

/** Only what the client says it can do. */
async function asksWhatIsOffered(request: Request): Promise<Asked> {
  if (request.inputResponses !== undefined) return done('Everything was given.')
  const { [CLIENT_CAPABILITIES_META_KEY]: offered } = (request.envelope ?? {}) as {
    [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities
  }
  const inputRequests: InputRequests = {
    ...(offered?.elicitation && { user_name: form('What is your name?', 'name') }),
    ...(offered?.sampling && { greeting: sample('Generate a greeting') }),
    ...(offered?.roots && { client_roots: inputRequired.listRoots() }),
  }
  return Object.keys(inputRequests).length === 0
    ? done('There is nothing to ask.')
    : inputRequired({ inputRequests })
}

const tools: Readonly<Record<string, (request: Request) => Promise<Asked>>> = {
  test_missing_capability: samples,
  test_input_required_result_elicitation: elicits,
  test_input_required_result_sampling: samples,
  test_input_required_result_list_roots: listsRoots,
  test_input_required_result_multiple_inputs: asksForAll,
  test_input_required_result_request_state: bringsBackState,
  test_input_required_result_tampered_state: bringsBackState,
  test_input_required_result_multi_round: asksTwice,
  test_input_required_result_capabilities: asksWhatIsOffered,
}

/** Tools that ask the client for something and are called again with it, as the version of 2026 has it. */
export function registerAskingTools(server: McpServer): void {
  for (const [name, ask] of Object.entries(tools))
    server.registerTool(name, { description: name, inputSchema: z.object({}) }, async (_given, { mcpReq }) =>
      ask(mcpReq),
    )
}
