import type { ModelCaller, ModelReply } from '#gateway'
import type { Initiative } from '#initiatives/contract'
import { storableText } from '#kernel/db'
import type { Log } from '#kernel/log'
import { uselessMessage, UselessCalls } from '#kernel/tool-calls'
import type { StandupEvent } from '../contract.ts'
import { eventJson } from '../json.ts'
import { newId } from '../new-id.ts'
import type { ResearchNow } from '../research/research.ts'
import type { EventData, SessionLog, Writing } from '../session-log.ts'
import { readEvents } from '../store/event-store.ts'
import type { Db, SessionRow } from '../tables.ts'
import { historyOf } from './history.ts'
import { checkLimits, type Limits, type SessionCalls } from './limits.ts'
import { proposeTools } from './propose-tools.ts'
import { readTools } from './read-tools.ts'
import { researchTool } from './research-tool.ts'
import { runTool } from './run-tools.ts'
import { Speech } from './speech.ts'
import { TurnStop } from './turn-stop.ts'
import { described, type AgentTool, type Link, type ToolContext } from './tool.ts'

export interface TurnDeps {
  db: Db
  log: Log
  sessions: SessionLog
  models: ModelCaller
  usage: SessionCalls
  limits: Limits
  research: ResearchNow
  initiative(groupId: string, id: string): Promise<Initiative>
  /** A route of this process, with a key of the group that may only read. */
  read(groupId: string, path: string, body: object | undefined, signal: AbortSignal): Promise<unknown>
}

export interface Turn {
  session: SessionRow
  workId: string
  /** Aborted when a person, the end of the session or of the server stops the agent. */
  controller: AbortController
}

const maxSteps = 12
const maxTokensPerStep = 4_000
const maxEvents = 5_000
const maxRefusal = 2_000

/** The agent's response to what was said: as many calls of the model as its tools need. */
export async function runTurn(deps: TurnDeps, turn: Turn): Promise<void> {
  const { session, controller } = turn
  const { signal } = controller
  const within = <T>(work: (writing: Writing) => Promise<T>): Promise<T> =>
    deps.sessions.writeWithin(session.id, turn.workId, work)
  const add = (event: EventData): Promise<void> => within(async (writing) => void (await writing.add(event)))

  await add({ type: 'turn', state: 'started' })
  const initiative = await deps.initiative(session.group_id, session.initiative_id)
  const rows = await readEvents(deps.db, session.id, 0, maxEvents)
  const events = rows.map(eventJson)
  const tools: AgentTool[] = [...readTools, ...proposeTools(within), researchTool(deps.research)]
  const known = knownLinks(initiative, events)
  const read = (path: string, body?: object): Promise<unknown> =>
    deps.read(session.group_id, path, body, signal)
  const context: ToolContext & { known: Map<string, Link> } = {
    ...{ session, initiative, signal, read, add, known, useless: new UselessCalls() },
  }
  const messages: object[] = historyOf(initiative, session.brief, events)

  for (let step = 0; step < maxSteps; step++) {
    signal.throwIfAborted()
    await checkLimits(deps.usage, deps.limits, session)
    const reply = await speak(deps, turn, { messages, tools, within })
    if (reply.toolCalls.length === 0) return checkReply(reply)
    messages.push(returnable(reply))
    // One after the other: calls of one response may depend on each other.
    for (const call of reply.toolCalls) {
      signal.throwIfAborted()
      const content = await runTool(call, tools, context, deps.log)
      messages.push({ role: 'tool', tool_call_id: call.id, content })
    }
    if (context.useless.areTooMany) throw new TurnStop('repeated_failures', uselessMessage)
  }
  throw new TurnStop(
    'step_limit',
    `The agent stopped after ${maxSteps} steps. Send a message to let it go on.`,
  )
}

/** One call of the model; its text is in the log piece by piece and then whole. */
async function speak(
  { models }: TurnDeps,
  { session, controller }: Turn,
  asked: {
    messages: readonly object[]
    tools: readonly AgentTool[]
    within<T>(work: (writing: Writing) => Promise<T>): Promise<T>
  },
): Promise<ModelReply> {
  const messageId = newId()
  const speech = new Speech(
    (content) =>
      asked.within(async ({ add }) => void (await add({ type: 'delta', message_id: messageId, content }))),
    (error) => controller.abort(error),
  )
  const call = {
    groupId: session.group_id,
    purpose: 'standup',
    session: session.id,
    request: {
      model: session.model,
      messages: [...asked.messages],
      tools: asked.tools.map(described),
      max_completion_tokens: maxTokensPerStep,
    },
    signal: controller.signal,
  }
  let reply
  try {
    reply = await models.stream(call, (piece) => speech.add(piece))
  } finally {
    await speech.end()
  }
  const content = storableText(reply.text ?? '').trim()
  if (content !== '')
    await asked.within(async (writing) => {
      await writing.takeDeltas()
      const interrupted = reply.finishReason === 'length'
      await writing.add({
        ...{ type: 'message', message_id: messageId, role: 'assistant', author: null },
        ...{ content, interrupted },
      })
    })
  return reply
}

/** The message as it can be sent back: some providers refuse one whose arguments are not an object. */
function returnable({ message, toolCalls }: ModelReply): object {
  const calls = message['tool_calls'] as { function: object }[]
  const good = calls.map((call, index) =>
    isObject(toolCalls[index]?.arguments ?? '')
      ? call
      : { ...call, function: { ...call.function, arguments: '{}' } },
  )
  return { ...message, tool_calls: good }
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** A response without an end is told: silence would look like a fault of the page. */
function checkReply({ text, refusal, finishReason }: ModelReply): void {
  if (refusal !== null) throw new TurnStop('refusal', refusal.slice(0, maxRefusal))
  if (finishReason === 'length')
    throw new TurnStop('length_limit', 'The response was too long and was cut off.')
  if (finishReason === 'content_filter')
    throw new TurnStop('content_filter', 'The provider held the response back.')
  if ((text ?? '').trim() === '') throw new TurnStop('provider_error', 'The model said nothing.')
}

/** What the agent was shown in this session, so that it can cite it. */
function knownLinks(initiative: Initiative, events: readonly StandupEvent[]): Map<string, Link> {
  const links: Link[] = [{ title: initiative.title, url: `/initiatives/${initiative.slug}` }]
  for (const { title, url } of initiative.findings.map((finding) => ({ ...finding, title: finding.text })))
    if (url !== null) links.push({ title, url })
  for (const { kind, title, target } of initiative.links)
    if (kind === 'url') links.push({ title, url: target })
  for (const event of events) {
    if (event.type === 'brief')
      links.push(
        ...event.brief.tickets.recent,
        ...event.brief.deployments.recent,
        ...event.brief.devlogs.recent,
        ...event.brief.decisions,
      )
    if (event.type === 'research') links.push(...event.results)
    if (event.type === 'tool') links.push(...event.links)
  }
  return new Map(links.map(({ title, url }) => [url, { title, url }]))
}
