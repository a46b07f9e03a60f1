import { LoopStop } from '#kernel/agent-loop'
import { Fault, messageOf } from '#kernel/errors'
import { newId } from '#kernel/uuid'
import { runTurn, type TurnDeps } from './agent/turn.ts'
import { WorkLost } from './session-log.ts'
import { abandoned, claimTurn, clearWork, noteActivity, renewWork, waiting } from './store/session-store.ts'

/** At the same time in this process; more wait. */
const maxTurns = 50
/** How often a process says that it still works on a session. */
export const heartbeatMs = 4_000
const sweepMs = 5_000
/** The longest that one response may take, with all its tools. */
const maxTurnMs = 600_000

export const stoppedByPerson = (): LoopStop => new LoopStop('interrupted', 'The agent was stopped.')

const serverStopped = (): LoopStop =>
  new LoopStop('interrupted', 'The server stopped in the middle of the response. Send a message to go on.')

interface Running {
  controller: AbortController
  done: Promise<void>
}

/**
 * The turns of this process. A turn belongs to no connection: clients come and go without it. While it runs its row says so
 * with a time that is renewed; where that stops, any process ends the turn with an error and takes the next message.
 */
export function createTurns(deps: TurnDeps) {
  const { db, log, sessions } = deps
  const running = new Map<string, Running>()
  let isStopped = false
  let sweeping: NodeJS.Timeout | undefined

  /** Starts a turn where somebody waits for one and no process has the session. */
  function kick(sessionId: string): void {
    if (isStopped || running.has(sessionId) || running.size >= maxTurns) return
    const controller = new AbortController()
    running.set(sessionId, { controller, done: runOne(sessionId, controller) })
  }

  async function runOne(sessionId: string, controller: AbortController): Promise<void> {
    let hasRun = false
    try {
      hasRun = await take(sessionId, controller)
    } catch (error) {
      log.warn({ standup: sessionId, reason: messageOf(error) }, 'a turn of a stand-up failed')
    }
    running.delete(sessionId)
    // What was said in the meantime.
    if (hasRun) kick(sessionId)
  }

  async function take(sessionId: string, controller: AbortController): Promise<boolean> {
    const workId = newId()
    const session = await claimTurn(db, sessionId, workId)
    if (!session) return false
    const heartbeat = setInterval(() => void renew(), heartbeatMs)
    const limit = setTimeout(
      () => controller.abort(new LoopStop('timeout', 'The response took too long and was stopped.')),
      maxTurnMs,
    )
    async function renew(): Promise<void> {
      // While the database is unavailable nobody else can take the session either.
      const isOurs = await renewWork(db, sessionId, workId).catch(() => true)
      if (!isOurs) controller.abort(new WorkLost())
    }
    let failure: unknown
    try {
      await runTurn(deps, { session, workId, controller })
    } catch (error) {
      failure = controller.signal.aborted ? controller.signal.reason : error
    } finally {
      clearInterval(heartbeat)
      clearTimeout(limit)
    }
    if (failure instanceof WorkLost) return true
    await settle(sessionId, workId, failure)
    return true
  }

  async function settle(sessionId: string, workId: string, failure: unknown): Promise<void> {
    try {
      await sessions.writeWithin(sessionId, workId, async ({ transaction, add, settlePartial }) => {
        await settlePartial()
        if (failure !== undefined) await add({ type: 'error', ...told(failure) })
        await add({ type: 'turn', state: 'finished' })
        await clearWork(transaction, sessionId)
        await noteActivity(transaction, sessionId)
      })
    } catch (error) {
      // The process that took the session has reported what happened.
      if (!(error instanceof WorkLost)) throw error
    }
  }

  /** What people read about it. Anything unexpected is in the log only. */
  function told(failure: unknown): { code: string; message: string } {
    if (failure instanceof LoopStop || failure instanceof Fault)
      return { code: failure.code, message: failure.message }
    log.error({ error: failure }, 'a turn of a stand-up failed')
    return { code: 'internal_error', message: 'Something went wrong. Send a message to continue.' }
  }

  /** The process that worked on the session has died. */
  async function recover(sessionId: string): Promise<void> {
    await sessions.write(sessionId, async ({ transaction, session, add, settlePartial }) => {
      if (session.status !== 'open' || !session.is_abandoned) return
      await settlePartial()
      const { code, message } =
        session.work === 'turn'
          ? serverStopped()
          : new LoopStop('interrupted', 'The server stopped while the stand-up was ending. End it again.')
      await add({ type: 'error', code, message })
      if (session.work === 'turn') await add({ type: 'turn', state: 'finished' })
      await clearWork(transaction, sessionId)
    })
  }

  async function sweep(): Promise<void> {
    try {
      for (const id of await abandoned(db)) await recover(id)
      for (const id of await waiting(db)) kick(id)
    } catch (error) {
      log.debug({ reason: messageOf(error) }, 'stand-ups could not be looked after')
    }
  }

  return {
    kick,
    /** Stops the turn of the session if it runs in this process. */
    abort(sessionId: string, reason: Error): void {
      running.get(sessionId)?.controller.abort(reason)
    },
    /** Resolves when the session has no turn in this process. */
    async ended(sessionId: string): Promise<void> {
      await running.get(sessionId)?.done
    },
    start(): void {
      sweeping = setInterval(() => void sweep(), sweepMs).unref()
      void sweep()
    },
    /** Turns end with an error that says so; the next message continues in another process. */
    async stop(): Promise<void> {
      isStopped = true
      clearInterval(sweeping)
      for (const { controller } of running.values()) controller.abort(serverStopped())
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}

export type Turns = ReturnType<typeof createTurns>
