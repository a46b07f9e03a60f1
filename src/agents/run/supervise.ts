import type { Kysely } from 'kysely'
import type { Secret } from '#kernel/log'
import { mask } from '#kernel/mask'
import { cutRequest } from '#sql/contract'
import { findVersion } from '../agent-store.ts'
import { defaultModel, type AgentConfig } from '../contract.ts'
import type { AgentTables } from '../tables.ts'
import { startProcess, type RunProcess } from './child-process.ts'
import type { RunDeps } from './deps.ts'
import { storedBytes } from './event-store.ts'
import type { FromChild, Memory, Start } from './protocol.ts'
import { Recorder } from './recorder.ts'
import { processEnded, RunFault } from './run-fault.ts'
import { insertRunKey, type RunRow } from './run-store.ts'
import { serversToStart } from './servers-to-start.ts'
import { settledSpending, readSpending } from './spending.ts'
import { requestOf, turnOf } from './turns.ts'

export type Outcome =
  | { status: 'completed'; response: string }
  | { status: 'failed'; error: { code: string; message: string } }
  | { status: 'cancelled' }
  | { status: 'waiting'; memory: Memory }

export interface Supervised {
  outcome: Outcome
  recorder: Recorder
  keyId: string | undefined
  activeMs: number
}

/** Ends a run from outside: cancelled, or the reason why it must not continue. */
export type Stop = { status: 'cancelled' } | RunFault

const maxResponse = 1_000_000
/** A key outlives its process only if the server dies. */
const keySlackMs = 60_000

/** One process of a run, from its start until nothing of it is left. */
export async function supervise(deps: RunDeps, run: RunRow, stopped: Promise<Stop>): Promise<Supervised> {
  const db: Kysely<AgentTables> = deps.database.tables()
  const recorder = new Recorder(db, run, deps.processId, await storedBytes(db, run.id))
  const startedAt = Date.now()
  const leftMs = Math.max(0, run.limits.max_seconds * 1_000 - Number(run.active_ms))
  let keyId: string | undefined
  let child: RunProcess | undefined
  let following: Promise<Outcome> | undefined
  let outcome: Outcome
  const deadline = limitTime(run, leftMs)
  try {
    const { config, ...version } = await versionOf(db, run)
    const model = version.model === defaultModel ? await deps.defaultModel(run.group_id) : version.model
    const key = await deps.runKeys.create({
      groupId: run.group_id,
      run: {
        id: run.id,
        agentId: run.agent_id,
        mode: config.permission_mode,
        agentVersion: run.agent_version,
        request: cutRequest(requestOf(run)),
      },
      userId: run.started_by,
      parentId: run.started_key,
      scopes: run.scopes,
      expiresAt: new Date(Date.now() + leftMs + keySlackMs),
    })
    keyId = key.id
    await insertRunKey(db, run.id, key.id, turnOf(run))
    child = startProcess(run.id, deps.inherited)
    child.send(startOf(deps, run, { config, model, key: key.secret }))
    following = follow(deps, run, child, recorder)
    outcome = await Promise.race([following, endingBy(child, [stopped, deadline.promise])])
  } catch (error) {
    outcome = failed(error)
  } finally {
    deadline.clear()
    await child?.end()
    // What it said last is stored before how it ended.
    await following?.catch(() => undefined)
    if (keyId !== undefined) await deps.runKeys.end(keyId)
  }
  await recorder.flush().catch(() => undefined)
  recorder.spending = await settledSpending(deps.readCalls, run, recorder.steps)
  return { outcome, recorder, keyId, activeMs: Number(run.active_ms) + Date.now() - startedAt }
}

/** Handles what the process says until it says how it ends. */
async function follow(deps: RunDeps, run: RunRow, child: RunProcess, recorder: Recorder): Promise<Outcome> {
  for await (const message of child.messages()) {
    const outcome = await handle(deps, run, child, recorder, message)
    if (outcome) return outcome
  }
  throw processEnded()
}

async function handle(
  deps: RunDeps,
  run: RunRow,
  child: RunProcess,
  recorder: Recorder,
  message: FromChild,
): Promise<Outcome | undefined> {
  switch (message.type) {
    case 'next':
      await allowStep(deps, run, recorder)
      child.send({ type: 'go' })
      break
    case 'text':
    case 'thought':
      await recorder.delta(message.type, message.content)
      break
    case 'tool_call':
      await recorder.toolCalled(message)
      break
    case 'tool_result':
      await recorder.toolReturned(message)
      break
    case 'waiting':
      return { status: 'waiting', memory: message.memory }
    case 'completed':
      return { status: 'completed', response: mask(message.response.slice(0, maxResponse)) }
    case 'failed':
      throw new RunFault(message.code, message.message)
  }
  return undefined
}

/** The limits hold here, whatever the process thinks. */
async function allowStep(deps: RunDeps, run: RunRow, recorder: Recorder): Promise<void> {
  const { max_steps, max_tokens, max_cost } = run.limits
  if (recorder.steps > 0) await recorder.spent(await readSpending(deps.readCalls, run))
  const { inputTokens, outputTokens, cost } = recorder.spending
  if (recorder.steps >= max_steps)
    throw new RunFault('max_steps', `The run called the model ${max_steps} times, which is its limit.`)
  if (inputTokens + outputTokens >= max_tokens)
    throw new RunFault(
      'max_tokens',
      `The run used ${inputTokens + outputTokens} tokens; its limit is ${max_tokens}.`,
    )
  if (cost !== null && Number(cost) >= max_cost)
    throw new RunFault('max_cost', `The run cost $${cost}; its limit is $${max_cost}.`)
  recorder.steps++
  await recorder.save()
}

interface Version {
  config: AgentConfig
  model: string
}

/** The agent as it was when it was asked. */
async function versionOf(db: Kysely<AgentTables>, run: RunRow): Promise<Version> {
  const row = await findVersion(db, run.group_id, run.agent_id, run.agent_version)
  if (!row) throw new RunFault('no_agent', 'The agent has been deleted.')
  return row.record as unknown as Version
}

function startOf(deps: RunDeps, run: RunRow, { config, model, key }: Version & { key: Secret }): Start {
  const gateway = deps.address()
  return {
    type: 'start',
    runId: run.id,
    gateway,
    key: key.reveal(),
    model,
    systemPrompt: config.system_prompt,
    mode: config.permission_mode,
    environment: config.policy?.environment ?? null,
    servers: serversToStart(config.mcp_servers, { address: gateway, key }),
    request: requestOf(run),
    memory: run.memory,
    decision: run.decision,
  }
}

/** The first that says stop ends the process. */
async function endingBy(child: RunProcess, reasons: readonly Promise<Stop>[]): Promise<Outcome> {
  const stop = await Promise.race(reasons)
  child.kill()
  return stop instanceof RunFault ? failed(stop) : stop
}

function limitTime(run: RunRow, leftMs: number): { promise: Promise<Stop>; clear(): void } {
  let timer: NodeJS.Timeout | undefined
  const promise = new Promise<Stop>((resolve) => {
    const seconds = run.limits.max_seconds
    const late = new RunFault('max_seconds', `The run took ${seconds} seconds, which is its limit.`)
    timer = setTimeout(() => resolve(late), leftMs)
  })
  return { promise, clear: () => clearTimeout(timer) }
}

function failed(error: unknown): Outcome {
  const fault =
    error instanceof RunFault ? error : new RunFault('internal_error', 'The run failed in the server.')
  return { status: 'failed', error: { code: fault.code, message: mask(fault.message.slice(0, 4_000)) } }
}
