import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../harness/product.ts'
import { accepted } from './accepted.ts'
import { schemathesis } from './environment.ts'

export interface Caller {
  name: string
  headers: Record<string, string>
  /** Operations that would take away the caller's own access, with which the rest is tested. */
  without: readonly string[]
}

interface Report {
  operations: { tested: number }
  test_cases: { generated: number }
  phases: Record<string, { status: string }>
  failures: { type: string; title: string; operations: string[] }[]
}

export interface Found {
  /** What is reported and not accepted. */
  failures: string[]
  operations: number
  cases: number
  /** Those that ran before the time was over. */
  phases: string[]
}

/** Runs all phases and all checks over the document of a running server, for at most so many seconds. */
export async function runSchemathesis(url: string, caller: Caller, maxSeconds: number): Promise<Found> {
  const report = join(temporaryFolder(), 'report.json')
  const args = [
    'run',
    `${url}/openapi.json`,
    ...Object.entries(caller.headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    ...caller.without.flatMap((id) => ['--exclude-operation-id', id]),
    // An endless response is no response to wait for.
    ...['--exclude-path-regex', '/stream$'],
    ...['--checks', 'all', '--phases', 'examples,coverage,fuzzing,stateful'],
    ...['--max-examples', '20', '--max-time', String(maxSeconds), '--seed', '1', '--no-shrink'],
    ...['--continue-on-failure', '--workers', '2', '--request-timeout', '20', '--warnings', 'off'],
    ...['--suppress-health-check', 'all', '--report', 'json', '--report-json-path', report],
  ]
  const child = spawn(schemathesis(), args, {
    // It keeps what it found in the folder it runs in.
    cwd: temporaryFolder(),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await once(child, 'exit')
  const found = JSON.parse(readFileSync(report, 'utf8')) as Report
  const phases = Object.entries(found.phases).filter(([, { status }]) => !status.startsWith('skip'))
  return {
    failures: notAccepted(found.failures),
    operations: found.operations.tested,
    cases: found.test_cases.generated,
    phases: phases.map(([name]) => name),
  }
}

function notAccepted(failures: Report['failures']): string[] {
  return failures.flatMap(({ type, title, operations }) => {
    const known = accepted.filter((each) => each.type === type)
    return operations
      .filter((name) => !known.some(({ operation }) => operation === undefined || operation.test(name)))
      .map((name) => `${name}: ${title} (${type})`)
  })
}
