import { setTimeout as pause } from 'node:timers/promises'
import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { RuntimeDown, type Driver, type Probe } from './driver.ts'
import { createRuntimeHttp, type RuntimeHttp, type RuntimeHttpOptions } from './runtime-http.ts'
import type { Wire } from './wire.ts'

export interface RuntimesOptions extends RuntimeHttpOptions {
  urls: readonly string[]
  model: string
  /** Of the weights that were chosen; a runtime with other weights is skipped. */
  digest: string | null
  log: Log
  /** Cuts texts that are longer than the model's context. */
  cut(texts: readonly string[]): Promise<readonly string[]>
}

interface Member {
  http: RuntimeHttp
  running: number
  /** Undefined until the runtime has proved that it has the model, and again after a failure. */
  admission: Promise<void> | undefined
  isIn: boolean
  outUntil: number
}

const leaveOutMs = 5_000
const busyPausesMs = [100, 400, 1_600]

/** One or more runtimes of the same kind: the least busy one gets the batch, one that fails is left out for a while. */
export function createRuntimes(wire: Wire, options: RuntimesOptions): Driver {
  const { model, log } = options
  const members = options.urls.map((url): Member => ({
    http: createRuntimeHttp(url, options),
    running: 0,
    admission: undefined,
    isIn: false,
    outUntil: 0,
  }))
  let turn = 0

  /** In service and least busy; when all are out, the one that has been out longest. */
  function pick(without: ReadonlySet<Member>): Member | undefined {
    turn += 1
    const others = [...members.slice(turn % members.length), ...members.slice(0, turn % members.length)]
    const left = others.filter((member) => !without.has(member))
    const now = performance.now()
    const inService = left.filter(({ outUntil }) => outUntil <= now)
    if (inService.length > 0) return inService.toSorted((a, b) => a.running - b.running)[0]
    return left.toSorted((a, b) => a.outUntil - b.outUntil)[0]
  }

  async function admit(member: Member): Promise<void> {
    if (member.isIn) return
    member.admission ??= examine(member).finally(() => (member.admission = undefined))
    await member.admission
  }

  async function examine(member: Member): Promise<void> {
    const { url } = member.http
    const probe = await probeOne(member)
    if (!probe.hasModel)
      throw new RuntimeDown(`The embedding runtime at ${url} does not have the model "${model}".`)
    if (options.digest !== null && probe.digest !== null && probe.digest !== options.digest)
      throw new RuntimeDown(
        `The embedding runtime at ${url} has other weights of "${model}" than those chosen at the start; their vectors cannot be mixed. Restart Signalbox to choose again.`,
      )
    member.isIn = true
  }

  async function probeOne({ http }: Member): Promise<Probe> {
    try {
      return await wire.probe(http, model)
    } catch (error) {
      if (error instanceof RuntimeDown) throw error
      throw new RuntimeDown(`The embedding runtime at ${http.url} is not understood: ${messageOf(error)}`, {
        cause: error,
      })
    }
  }

  function leaveOut(member: Member, reason: RuntimeDown): void {
    const wasIn = member.isIn
    member.isIn = false
    member.outUntil = performance.now() + leaveOutMs
    if (wasIn)
      log.warn({ runtime: member.http.url, reason: reason.message }, 'an embedding runtime is left out')
  }

  async function embedBy(
    member: Member,
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    member.running += 1
    try {
      await admit(member)
      const vectors = await wire.embed(member.http, model, texts, signal)
      member.outUntil = 0
      return vectors
    } finally {
      member.running -= 1
    }
  }

  async function embed(given: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const texts = await options.cut(given)
    const failed = new Map<Member, number>()
    const without = new Set<Member>()
    let busy = 0
    let last: RuntimeDown | undefined
    let refusal: Error | undefined
    for (let member = pick(without); member; member = pick(without)) {
      try {
        signal?.throwIfAborted()
        return await embedBy(member, texts, signal)
      } catch (error) {
        if (signal?.aborted) throw error
        if (!(error instanceof RuntimeDown)) {
          // Either a text or this runtime is to blame: another runtime shows which.
          refusal = error as Error
          without.add(member)
          continue
        }
        last = error
        const pauseMs = error.isBusy ? busyPausesMs[busy++] : undefined
        if (pauseMs !== undefined) {
          await pause(pauseMs * (0.5 + Math.random()), undefined, { ...(signal && { signal }) })
          continue
        }
        leaveOut(member, error)
        const times = (failed.get(member) ?? 0) + 1
        failed.set(member, times)
        // A connection may have been stale, so one more try; but nobody waits for a second timeout.
        if (times > 1 || error.isTimeout || error.status !== undefined) without.add(member)
      }
    }
    throw refusal ?? last ?? new RuntimeDown('There is no embedding runtime: RUNTIME_URL is empty.')
  }

  return {
    limits: { ...wire.limits, concurrency: wire.limits.concurrency * members.length },
    embed,
    async probe() {
      const probes = await Promise.allSettled(members.map(probeOne))
      const found = probes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      const first = probes[0]
      if (found.length === 0)
        throw first?.status === 'rejected' ? first.reason : new RuntimeDown('No runtime.')
      const matching = found.filter(({ digest }) => options.digest === null || digest === options.digest)
      return {
        models: unique(found.flatMap(({ models }) => models)),
        embeddingModels: unique(found.flatMap(({ embeddingModels }) => embeddingModels)),
        hasModel: matching.some(({ hasModel }) => hasModel),
        digest: found.find(({ hasModel }) => hasModel)?.digest ?? null,
      }
    },
    async close() {
      await Promise.all(members.map(({ http }) => http.close()))
    },
  }
}

const unique = (names: readonly string[]): string[] => [...new Set(names)]
