import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasPython } from './environment.ts'
import type { AuditedServer } from '../server.ts'
import { runSchemathesis, type Caller, type Run } from './run.ts'

/** Apart, because fuzzing repeats until its time is over and would leave none for what comes after it. */
const runs: readonly Run[] = [
  { phases: ['examples', 'coverage', 'stateful'], maxSeconds: 240 },
  { phases: ['fuzzing'], maxSeconds: 120 },
]

/** The whole API document, tested by a program that does not know the server. A file of its own for each caller. */
export function testAs(server: AuditedServer, caller: Caller): void {
  for (const run of runs)
    test(
      `schemathesis finds nothing by ${run.phases.join(' and ')} as ${caller.name} but what is accepted`,
      { skip: hasPython() ? false : 'there is no Python 3 here', timeout: 290_000 },
      async () => {
        const { failures, operations, cases, phases } = await runSchemathesis(server, caller, run)
        console.log(`${cases} cases on ${operations} operations as ${caller.name}: ${phases.join(', ')}`)
        assert.deepEqual(failures, [])
        // Sequences of calls are tried in what time is left.
        assert.deepEqual(without(phases, 'stateful'), without(run.phases, 'stateful'))
        assert.ok(operations > 180, `${operations} operations`)
      },
    )
}

const without = (names: readonly string[], name: string): string[] => names.filter((each) => each !== name)
