import type { Author, InitiativesPart } from '#initiatives'
import type { Role } from '#kernel/auth'
import { storableJson } from '#kernel/db'
import { Fault, faults, notFound } from '#kernel/errors'
import { configActivity, type Events } from '#kernel/events'
import { newId } from '#kernel/uuid'
import type { Progress, ProgressQuestion } from '#records'
import { makeBrief } from './brief.ts'
import type { Draft, Research } from './contract.ts'
import type { Drafting, NewDraft } from './drafting.ts'
import { draftJson } from './json.ts'
import { checkEnder, checkSpeaker, withInvited, type Member } from './participants.ts'
import type { ResearchNow } from './research/research.ts'
import { notOpen, WorkLost, writingTo, type SessionLog, type Writing } from './session-log.ts'
import { countEvents } from './store/event-store.ts'
import { insertDraft } from './store/draft-store.ts'
import * as store from './store/session-store.ts'
import type { Db, SessionRow } from './tables.ts'
import { heartbeatMs, stoppedByPerson, type Turns } from './turns.ts'

export interface StandupsDeps {
  db: Db
  events: Events
  initiatives: Pick<InitiativesPart, 'get' | 'find'>
  sessions: SessionLog
  turns: Turns
  drafting: Drafting
  research: ResearchNow
  model(groupId: string): Promise<string>
  /** Throws where the group cannot ask the model. */
  checkModel(groupId: string): Promise<void>
  checkLimits(session: SessionRow): Promise<void>
  progress(question: ProgressQuestion): Promise<Progress>
  read(groupId: string, path: string, body: object | undefined, signal: AbortSignal): Promise<unknown>
  /** Reaches the process that runs the turn. */
  announceInterrupt(sessionId: string): Promise<void>
}

const maxMessages = 500
const maxResearch = 200
const idleHours = 24

/** The conversation: starting, talking, looking things up, ending. */
export function createStandups(deps: StandupsDeps) {
  const { db, sessions, turns } = deps

  function tell(session: SessionRow, by: string | null, what: string, metadata: object = {}): void {
    deps.events.emit('activity', {
      ...configActivity,
      groupId: session.group_id,
      by,
      title: `Stand-up ${what}: ${session.title}`,
      metadata: { standup_id: session.id, initiative_id: session.initiative_id, ...metadata },
    })
  }

  async function open(initiativeId: string): Promise<SessionRow> {
    const session = await store.findOpen(db, initiativeId)
    if (!session) throw notOpen()
    return session
  }

  async function create(
    groupId: string,
    initiativeId: string,
    author: Author,
  ): Promise<SessionRow | undefined> {
    const initiative = await deps.initiatives.get(groupId, initiativeId)
    const lastEnd = await store.lastEnd(db, initiativeId)
    // The first stand-up counts everything that there is.
    const since = lastEnd ?? new Date(0)
    const linked = (wanted: string): string[] =>
      initiative.links.flatMap(({ kind, target }) => (kind === wanted ? [target] : []))
    const progress = await deps.progress({
      ...{ groupId, initiativeId, since },
      linked: { deployments: linked('deployment'), devlogs: linked('devlog') },
    })
    const brief = makeBrief(initiative, progress, lastEnd, new Date())
    const id = newId()
    const model = await deps.model(groupId)
    const session = await db.transaction().execute(async (transaction) => {
      const row = await store.insertSession(transaction, {
        ...{ id, group_id: groupId, initiative_id: initiativeId, title: initiative.title, status: 'open' },
        ...{ model, brief: storableJson(brief) },
        ...{ started_by: author.userId, started_by_name: author.name },
        // The agent speaks first.
        is_waiting: true,
      })
      if (row) await writingTo(transaction, { ...row, is_abandoned: false }).add({ type: 'brief', brief })
      return row
    })
    if (session) tell(session, author.userId, 'started')
    return session
  }

  /** Ends the session: what is drafted, the end and its event are one step. */
  async function finish(
    session: SessionRow,
    drafts: (current: SessionRow) => Promise<NewDraft[]>,
    by: { reason: 'person' | 'idle'; author: Author | null },
  ): Promise<Draft[]> {
    const workId = newId()
    const current = await sessions.writeOpen(session.id, async (writing) => {
      // Somebody may have come back since it was found.
      if (by.reason === 'idle' && !(await store.isIdle(writing.transaction, session.id, idleHours)))
        throw new Fault(faults.conflict, 'The stand-up continues.')
      await writing.settlePartial()
      if (writing.session.work === 'turn') await writing.add({ type: 'turn', state: 'finished' })
      await store.takeForEnd(writing.transaction, session.id, workId)
      return writing.session
    })
    turns.abort(session.id, new WorkLost())
    const heartbeat = setInterval(
      () => void store.renewWork(db, session.id, workId).catch(() => undefined),
      heartbeatMs,
    )
    try {
      const made = await drafts(current)
      const saved = await sessions.writeWithin(session.id, workId, (writing) => saveEnd(writing, made, by))
      tell(session, by.author?.userId ?? null, 'ended', { drafts: saved.length, reason: by.reason })
      return saved
    } catch (error) {
      await sessions
        .writeWithin(session.id, workId, ({ transaction }) => store.clearWork(transaction, session.id))
        .catch(() => undefined)
      throw error instanceof WorkLost ? new Fault(faults.conflict, 'The stand-up has already ended.') : error
    } finally {
      clearInterval(heartbeat)
    }
  }

  return {
    tell,
    async start(groupId: string, initiativeId: string, author: Author): Promise<SessionRow> {
      for (let attempt = 0; attempt < 3; attempt++) {
        const existing = await store.findOpen(db, initiativeId)
        if (existing) return existing
        await deps.checkModel(groupId)
        const created = await create(groupId, initiativeId, author)
        if (!created) continue
        turns.kick(created.id)
        return created
      }
      throw new Fault(faults.conflict, 'Another stand-up of this initiative was started and ended just now.')
    },
    async say(initiativeId: string, author: Author, content: string): Promise<string> {
      const current = await open(initiativeId)
      checkSpeaker(current, author)
      const { id } = current
      const messageId = newId()
      await sessions.writeOpen(id, async ({ transaction, session, add }) => {
        if (session.message_count >= maxMessages)
          throw new Fault(faults.conflict, `A stand-up has at most ${maxMessages} messages. End it first.`)
        const by = { role: 'user', author: author.name, interrupted: false } as const
        await add({ type: 'message', message_id: messageId, content, ...by })
        await store.noteMessage(transaction, id)
      })
      turns.kick(id)
      return messageId
    },
    async interrupt(initiativeId: string, author: Author): Promise<boolean> {
      const session = await open(initiativeId)
      checkSpeaker(session, author)
      const { id, work } = session
      if (work !== 'turn') return false
      turns.abort(id, stoppedByPerson())
      await deps.announceInterrupt(id)
      return true
    },
    async research(
      initiativeId: string,
      author: Author,
      query: string,
      signal: AbortSignal,
    ): Promise<Research> {
      const session = await open(initiativeId)
      checkSpeaker(session, author)
      const { id, group_id: groupId } = session
      if ((await countEvents(db, id, 'research')) >= maxResearch)
        throw new Fault(faults.conflict, `A stand-up has at most ${maxResearch} lookups. End it first.`)
      const isWithin = await deps.checkLimits(session).then(
        () => true,
        () => false,
      )
      const { results, note } = await deps.research({
        ...{ groupId, sessionId: id, query, web: isWithin, signal },
        read: (path, body) => deps.read(groupId, path, body, signal),
      })
      await sessions.writeOpen(id, async ({ transaction, add }) => {
        await add({ type: 'research', query, results, note, requested_by: 'human' })
        await store.noteActivity(transaction, id)
      })
      return { query, results }
    },
    /** Lets another member of the group speak. */
    async invite(initiativeId: string, author: Author, members: readonly Member[], userId: string) {
      const current = await open(initiativeId)
      checkSpeaker(current, author)
      return sessions.writeOpen(current.id, async ({ transaction, session, add }) => {
        const invited = withInvited(session, members, userId)
        if (invited.length > session.invited.length) {
          await store.setInvited(transaction, session.id, invited)
          await add({ type: 'invited', invited })
        }
        return invited
      })
    },
    async end(initiativeId: string, { author, role }: { author: Author; role: Role }, isDrafted: boolean) {
      const session = await open(initiativeId)
      checkEnder(session, author, role)
      const drafts = isDrafted
        ? (current: SessionRow) => deps.drafting(current, true)
        : async (): Promise<NewDraft[]> => []
      const artifacts = await finish(session, drafts, { reason: 'person', author })
      return { session_id: session.id, status: 'ended' as const, artifacts }
    },
    /** Ends sessions that were left. What was said is drafted without a model; where nothing was, nothing is. */
    async endIdle(): Promise<void> {
      const drafts = async (current: SessionRow): Promise<NewDraft[]> =>
        current.message_count === 0 ? [] : deps.drafting(current, false)
      for (const session of await store.idle(db, idleHours))
        await finish(session, drafts, { reason: 'idle', author: null }).catch((error: unknown) => {
          if (!(error instanceof Fault)) throw error
        })
    },
    /** The one that was asked for, else the open one, else the last. */
    async find(initiativeId: string, id: string | undefined): Promise<SessionRow> {
      const session =
        id === undefined
          ? ((await store.findOpen(db, initiativeId)) ?? (await store.findLast(db, initiativeId)))
          : await store.findSession(db, initiativeId, id)
      if (!session) throw notFound('The stand-up')
      return session
    },
  }
}

export type Standups = ReturnType<typeof createStandups>

async function saveEnd(
  { transaction, session, add }: Writing,
  drafts: readonly NewDraft[],
  { reason, author }: { reason: 'person' | 'idle'; author: Author | null },
): Promise<Draft[]> {
  const saved: Draft[] = []
  for (const { title, content, proposalId, effect } of drafts) {
    const row = await insertDraft(transaction, {
      ...{ id: newId(), session_id: session.id, type: effect.type, proposal_id: proposalId },
      ...{ drafted_title: title, drafted_content: content, title, content },
      effect: storableJson(effect),
    })
    const artifact = draftJson(row)
    await add({ type: 'artifact', artifact })
    saved.push(artifact)
  }
  await store.setEnded(transaction, session.id, reason)
  await add({ type: 'ended', reason, ended_by: author?.name ?? null, artifacts: saved.length })
  return saved
}
