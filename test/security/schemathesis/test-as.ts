import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasPython } from './environment.ts'
import type { AuditedServer } from '../server.ts'
import { runSchemathesis, type Caller, type Run } from './run.ts'

/**
 * Apart, because sequences and random values go on until their time is over and would leave none for what comes after
 * them. Examples and edges end by themselves.
 */
const runs: readonly Run[] = [
  { phases: ['examples', 'coverage'], maxSeconds: 600 },
  { phases: ['stateful'], maxSeconds: 120 },
  { phases: ['fuzzing'], maxSeconds: 120 },
]

/** The whole API document, tested by a program that does not know the server. A file of its own for each caller. */
export function testAs(server: AuditedServer, caller: Caller): void {
  for (const run of runs.filter(({ phases }) => caller.creates || !phases.includes('stateful')))
    test(
      `schemathesis finds nothing by ${run.phases.join(' and ')} as ${caller.name} but what is accepted`,
      { skip: hasPython() ? false : 'there is no Python 3 here', timeout: (run.maxSeconds + 60) * 1_000 },
      async () => {
        const { failures, operations, cases, phases, seconds } = await runSchemathesis(server, caller, run)
        console.log(
          `${cases} cases on ${operations} operations as ${caller.name}: ${phases.join(', ')}, ${seconds} s`,
        )
        assert.deepEqual(failures, [])
        assert.deepEqual(phases, run.phases)
        assert.ok(operations > leastOf(run), `${operations} operations`)
      },
    )
}

/** Sequences begin where something is created, and random values get as far as their time lasts. */
function leastOf({ phases }: Run): number {
  if (phases.includes('stateful')) return 30
  return phases.includes('fuzzing') ? 60 : 180
}
