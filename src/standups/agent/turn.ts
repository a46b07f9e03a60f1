import type { ModelCaller, ModelReply } from '#gateway'
import type { Initiative } from '#initiatives/contract'
import { LoopStop, runLoop } from '#kernel/agent-loop'
import { storableText } from '#kernel/db'
import type { Log } from '#kernel/log'
import { newId } from '#kernel/uuid'
import type { Link } from '#tools'
import type { StandupEvent } from '../contract.ts'
import type { ResearchNow } from '../research/research.ts'
import type { EventData, SessionLog, Writing } from '../session-log.ts'
import { readEvents } from '../store/event-store.ts'
import type { Db, SessionRow } from '../tables.ts'
import { historyOf } from './history.ts'
import { checkLimits, type Limits, type SessionCalls } from './limits.ts'
import { proposeTools } from './propose-tools.ts'
import { readTools } from './read-tools.ts'
import { researchTool } from './research-tool.ts'
import { Speech } from './speech.ts'

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
const maxLinks = 20

/** Proposals, questions and research are events of their own. */
const withOwnEvent = new Set(['propose_decision', 'propose_confidence', 'ask_question', 'research'])

const tools = [...readTools, ...proposeTools, researchTool]

type Within = <T>(work: (writing: Writing) => Promise<T>) => Promise<T>

/** The agent's response to what was said: as many calls of the model as its tools need. */
export async function runTurn(deps: TurnDeps, turn: Turn): Promise<void> {
  const { session, controller } = turn
  const { signal } = controller
  const within: Within = (work) => deps.sessions.writeWithin(session.id, turn.workId, work)
  const add = (event: EventData): Promise<void> => within(async (writing) => void (await writing.add(event)))

  await add({ type: 'turn', state: 'started' })
  const initiative = await deps.initiative(session.group_id, session.initiative_id)
  const events = await readEvents(deps.db, session.id, 0, maxEvents)
  const known = knownLinks(initiative, events)
  const read = (path: string, body?: object): Promise<unknown> =>
    deps.read(session.group_id, path, body, signal)
  const { log, research } = deps
  const context = { session, initiative, signal, log, research, read, within, add, known }
  const end = await runLoop(
    historyOf(initiative, session.brief, events),
    tools.map((tool) => tool(context)),
    {
      ...{ signal, maxSteps },
      async ask(messages, described) {
        await checkLimits(deps.usage, deps.limits, session)
        return speak(deps, turn, within, { messages, tools: described })
      },
      async settled({ name }, { status, shown, links = [] }) {
        for (const link of links) known.set(link.url, link)
        if (status === 'done' && withOwnEvent.has(name)) return
        await add({
          ...{ type: 'tool', name: name.slice(0, 100), summary: shown.slice(0, 500) },
          links: links.slice(0, maxLinks).map(({ title, url }) => ({ title: title.slice(0, 300), url })),
          is_error: status !== 'done',
        })
      },
    },
  )
  if (end.kind === 'said') checkReply(end.reply)
}

/** One call of the model; its text is in the log piece by piece and then whole. */
async function speak(
  { models }: TurnDeps,
  { session, controller }: Turn,
  within: Within,
  asked: { messages: readonly object[]; tools: readonly object[] },
): Promise<ModelReply> {
  const messageId = newId()
  const speech = new Speech(
    (content) =>
      within(async ({ add }) => void (await add({ type: 'delta', message_id: messageId, content }))),
    (error) => controller.abort(error),
  )
  const call = {
    groupId: session.group_id,
    purpose: 'standup',
    session: session.id,
    request: { model: session.model, ...asked, max_completion_tokens: maxTokensPerStep },
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
    await within(async (writing) => {
      await writing.takeDeltas()
      const interrupted = reply.finishReason === 'length'
      await writing.add({
        ...{ type: 'message', message_id: messageId, role: 'assistant', author: null },
        ...{ content, interrupted },
      })
    })
  return reply
}

/** A response without an end is told: silence would look like a fault of the page. */
function checkReply({ text, refusal, finishReason }: ModelReply): void {
  if (refusal !== null) throw new LoopStop('refusal', refusal.slice(0, maxRefusal))
  if (finishReason === 'length')
    throw new LoopStop('length_limit', 'The response was too long and was cut off.')
  if (finishReason === 'content_filter')
    throw new LoopStop('content_filter', 'The provider held the response back.')
  if ((text ?? '').trim() === '') throw new LoopStop('provider_error', 'The model said nothing.')
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
