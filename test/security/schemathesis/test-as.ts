import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasPython } from './environment.ts'
import { runSchemathesis, type Caller } from './run.ts'

/** The whole API document, tested by a program that does not know the server. A file of its own for each caller. */
export function testAs(url: string, caller: Caller): void {
  test(
    `schemathesis finds nothing as ${caller.name} but what is accepted`,
    { skip: hasPython() ? false : 'there is no Python 3 here', timeout: 290_000 },
    async () => {
      const { failures, operations, cases, phases } = await runSchemathesis(url, caller, 240)
      console.log(`${cases} cases on ${operations} operations as ${caller.name}: ${phases.join(', ')}`)
      assert.deepEqual(failures, [])
      assert.deepEqual(phases, ['examples', 'coverage', 'fuzzing', 'stateful'])
      assert.ok(operations > 90, `${operations} operations`)
    },
  )
}
