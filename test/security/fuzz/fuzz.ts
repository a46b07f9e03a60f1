import { waitFor } from '../../harness/wait.ts'
import { resourcesFor } from '../resources.ts'
import { validRequest } from '../requests.ts'
import type { Route } from '../route-list.ts'
import { isBusy, type AuditedServer } from '../server.ts'
import { casesOf, type Case, type RawRequest } from './cases.ts'
import { choose } from './random.ts'
import { sendRaw, type RawReply } from './send.ts'

export interface Fuzzed {
  sent: number
  /** What there is to send; more than was sent where the time was over. */
  total: number
  places: number
  findings: string[]
}

interface Limits {
  count: number
  /** No new round begins after this. */
  minutes?: number
  /** Called after every round. */
  report?(progress: Fuzzed): void
}

/** Routes that are asked at the same time. */
const lanes = 6

/** In every round some values reach every place, so that a run that is cut short has been everywhere. */
const perRound = 4_000

/** Sends hostile requests, the same for the same seed, and returns what must not have happened. */
export async function fuzz(server: AuditedServer, limits: Limits, seed: number): Promise<Fuzzed> {
  const all = [...server.routes]
    .filter(([, { forPages }]) => !forPages)
    .flatMap(([key, route]) => casesOf(server.document, key, route))
  const cases = choose(all, limits.count, seed)
  const places = new Set(cases.map(({ key, place }) => `${key} ${place}`)).size
  const paths = await pathsOf(server, cases)
  const over = performance.now() + (limits.minutes ?? Infinity) * 60_000
  const fuzzed: Fuzzed = { sent: 0, total: cases.length, places, findings: [] }
  while (fuzzed.sent < cases.length && performance.now() < over) {
    const round = cases.slice(fuzzed.sent, fuzzed.sent + perRound)
    fuzzed.findings.push(...(await fuzzRound(server, round, paths)))
    fuzzed.sent += round.length
    limits.report?.(fuzzed)
  }
  return fuzzed
}

type Paths = ReadonlyMap<string, Record<string, string>>

/** Made first of all: some collections are full when the fuzzer has been there. */
async function pathsOf(server: AuditedServer, cases: readonly Case[]): Promise<Paths> {
  const paths = new Map<string, Record<string, string>>()
  for (const key of new Set(cases.map((each) => each.key))) {
    const route = server.routes.get(key)
    if (route) paths.set(key, await resourcesFor(server, route))
  }
  return paths
}

async function fuzzRound(server: AuditedServer, cases: readonly Case[], paths: Paths): Promise<string[]> {
  const findings: string[] = []
  const delayed: Delayed[] = []
  const byRoute = [...Map.groupBy(cases, ({ key }) => key)]
  let next = 0
  const lane = async (): Promise<void> => {
    for (;;) {
      const [key, own] = byRoute[next++] ?? []
      const route = key === undefined ? undefined : server.routes.get(key)
      if (!own || !route) return
      findings.push(...(await fuzzRoute(server, route, own, paths.get(key ?? '') ?? {}, delayed)))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  for (const each of delayed) findings.push(...(await askAlone(server, each)))
  return findings
}

/** A request that came late, or that the server was too busy for. */
interface Delayed {
  raw: RawRequest
  key: string
  what: string
}

const patienceMs = 30_000

/** With the others a busy machine may have been slow; alone, and again and again, only the request can be. */
async function askAlone(server: AuditedServer, { raw, key, what }: Delayed): Promise<string[]> {
  let asked: Asked = {}
  const isJudged = async (): Promise<boolean> => {
    asked = await ask(server, raw, key)
    return asked.delay === undefined
  }
  await waitFor('a response in time', isJudged, patienceMs).catch(() => undefined)
  const problem = asked.delay ?? asked.problem
  return problem === undefined ? [] : [finding(key, what, problem, raw)]
}

/** What is wrong, if anything is; `delay` where that may be the machine's fault. */
interface Asked {
  delay?: string
  problem?: string | undefined
}

async function ask(server: AuditedServer, raw: RawRequest, key: string): Promise<Asked> {
  try {
    const reply = await sendRaw(server.url, raw)
    if (reply.milliseconds > slowMs) return { delay: `took ${Math.round(reply.milliseconds)} ms` }
    if (isBusy(reply.status, reply.retryAfter))
      return { delay: `${reply.status} ${reply.body.slice(0, 200)}` }
    return { problem: judge(reply, key) }
  } catch (error) {
    const { name, message } = error as Error
    return name === 'TimeoutError' || name === 'AbortError'
      ? { delay: `no response: ${message}` }
      : { problem: `no response: ${message}` }
  }
}

const slowMs = 10_000

const finding = (key: string, what: string, problem: string, raw: RawRequest): string =>
  `${key} ← ${what}: ${problem} (${shown(raw)})`

async function fuzzRoute(
  server: AuditedServer,
  route: Route,
  cases: readonly Case[],
  path: Record<string, string>,
  delayed: Delayed[],
): Promise<string[]> {
  const findings: string[] = []
  const valid = validRequest(server.document, route, path)
  for (const { key, what, make } of cases) {
    const made = make(valid)
    const raw = { ...made, headers: { ...made.headers, ...credentials(server, route) } }
    // Wrong passwords are counted; what comes after the limit would not be read any more.
    if (route.template.startsWith('/api/auth/')) await server.query('delete from access.password_attempts')
    const { delay, problem } = await ask(server, raw, key)
    if (delay !== undefined) delayed.push({ raw, key, what })
    else if (problem !== undefined) findings.push(finding(key, what, problem, raw))
  }
  return findings
}

function credentials(server: AuditedServer, { config }: Route): Record<string, string> {
  if (config.keyOnly) return { authorization: `Bearer ${server.key}` }
  const token = server.first.localOwnerToken?.reveal()
  return config.needs === 'anyone' || config.needs === 'page' || token === undefined
    ? {}
    : { 'x-owner-token': token }
}

/** Routes that call an address that a request chose, with the failure that this may be. */
const mayFail: Readonly<Record<string, RegExp>> = {
  'POST /providers/{provider_id}/models/sync': /"code":"provider_error"/,
}

/** What is wrong with a response, if anything is. */
function judge({ status, type, body }: RawReply, key: string): string | undefined {
  if (status >= 200 && status < 400) return undefined
  if (status === 502 && mayFail[key]?.test(body)) return undefined
  if (status < 400 || status >= 500) return `${status} ${body.slice(0, 200)}`
  if (!type.startsWith('application/json')) return `${status} with ${type || 'no type'}`
  return isErrorBody(body) ? undefined : `${status} without our error body: ${body.slice(0, 200)}`
}

interface ErrorBody {
  type?: unknown
  jsonrpc?: unknown
  error?: { message?: unknown; type?: unknown; param?: unknown; code?: unknown }
}

/** Ours; on the routes of the Messages API, Anthropic's; on `/mcp`, that of JSON-RPC. */
function isErrorBody(body: string): boolean {
  const { type, jsonrpc, error } = JSON.parse(body) as ErrorBody
  if (jsonrpc === '2.0') return typeof error?.message === 'string' && typeof error.code === 'number'
  if (typeof error?.message !== 'string' || typeof error.type !== 'string') return false
  if (type === 'error') return true
  return typeof error.code === 'string' && (error.param === null || typeof error.param === 'string')
}

const shown = ({ method, url, body }: RawRequest): string =>
  `${method} ${url.slice(0, 120)}${body === undefined ? '' : ` ${body.slice(0, 120)}`}`
