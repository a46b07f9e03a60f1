import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiDocument } from '#kernel/http'
import { temporaryFolder } from '../../harness/product.ts'
import type { AuditedServer } from '../server.ts'
import { caches, schemathesis } from './environment.ts'
import { notAccepted } from './failures.ts'

export interface Caller {
  name: string
  /** By which scheme of the API document it proves itself. */
  scheme: 'ownerToken' | 'apiKey' | 'session'
  /** Names in the case of the API document: what schemathesis does not recognize it cannot leave out. */
  headers: Record<string, string>
  /** Operations that would take away the caller's own access, with which the rest is tested. */
  without: readonly string[]
  /** Sequences begin with something that the caller creates. */
  creates: boolean
  /** Checks that cannot judge this caller. */
  unchecked: readonly string[]
}

export interface Run {
  phases: readonly ('examples' | 'coverage' | 'fuzzing' | 'stateful')[]
  maxSeconds: number
}

interface Report {
  operations: { tested: number }
  test_cases: { generated: number }
  phases: Record<string, { status: string }>
}

export interface Found {
  /** What is reported and not accepted. */
  failures: string[]
  operations: number
  cases: number
  /** Those that ran before the time was over. */
  phases: string[]
  seconds: number
}

/** Kept until the next audit, to see the requests behind a finding. */
function reportsOf({ scheme }: Caller, { phases }: Run): string {
  const folder = join(caches, 'schemathesis-reports', `${scheme}-${phases[0]}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Runs phases with all checks over the document of a running server, for at most this many seconds. */
export async function runSchemathesis(server: AuditedServer, caller: Caller, run: Run): Promise<Found> {
  const folder = reportsOf(caller, run)
  const [report, events, document] = ['report.json', 'events.ndjson', 'openapi.json'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  const described = documentFor(server.document, caller.scheme)
  writeFileSync(
    document,
    JSON.stringify(run.phases.includes('stateful') ? withoutGroups(described) : described),
  )
  // Asked beside every call, it would take most of the time of the sequences.
  const unchecked = [...caller.unchecked, ...(run.phases.includes('stateful') ? ['ignored_auth'] : [])]
  const args = [
    ...['--config-file', join(import.meta.dirname, 'schemathesis.toml')],
    'run',
    document,
    ...['--url', server.url],
    ...Object.entries(caller.headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    ...caller.without.flatMap((id) => ['--exclude-operation-id', id]),
    // An endless response is no response to wait for.
    ...['--exclude-path-regex', '/stream$'],
    ...['--checks', 'all', '--phases', run.phases.join(',')],
    ...['--max-examples', '20', '--max-time', String(run.maxSeconds), '--seed', '1', '--no-shrink'],
    ...['--continue-on-failure', '--workers', '2', '--request-timeout', '20', '--warnings', 'off'],
    ...['--suppress-health-check', 'all', '--report', 'json,ndjson'],
    ...['--report-json-path', report, '--report-ndjson-path', events],
    ...unchecked.flatMap((check) => ['--exclude-checks', check]),
  ]
  const child = spawn(schemathesis(), args, {
    // It keeps what it found in the folder it runs in.
    cwd: temporaryFolder(),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const started = performance.now()
  await once(child, 'exit')
  const seconds = Math.round((performance.now() - started) / 1_000)
  const found = JSON.parse(readFileSync(report, 'utf8')) as Report
  const phases = Object.entries(found.phases).filter(([, { status }]) => !status.startsWith('skip'))
  return {
    failures: await notAccepted(events),
    operations: found.operations.tested,
    cases: found.test_cases.generated,
    phases: phases.map(([name]) => name),
    seconds,
  }
}

/**
 * Where a route takes several credentials, schemathesis spoils one and leaves the good one of another kind in place. So
 * the document names the one that is used. A cookie it can only add to the others.
 */
function documentFor(document: ApiDocument, scheme: Caller['scheme']): ApiDocument {
  if (scheme === 'session') return document
  const copy = structuredClone(document)
  for (const path of Object.values(copy.paths))
    for (const operation of Object.values(path))
      if (operation.security.some((each) => scheme in each)) operation.security = [{ [scheme]: [] }]
  return copy
}

/** A group by chance is none of the caller's: nothing would be created, and every sequence end with its first call. */
function withoutGroups(document: ApiDocument): ApiDocument {
  const copy = structuredClone(document)
  for (const path of Object.values(copy.paths))
    for (const operation of Object.values(path)) {
      operation.parameters = operation.parameters.filter(({ name }) => !/^(group_id|x-group-id)$/i.test(name))
      for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
        delete schema.properties?.['group_id']
    }
  return copy
}
