import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createLog } from '#kernel/log'
import { createRandom, disguise, plain, randomStatement } from '#test/random-sql'
import type { ClassifiedStatement } from './classification.ts'
import { createClassifier } from './create-classifier.ts'

const classifier = createClassifier({ log: await createLog({ level: 'silent', form: 'json' }) })
after(() => classifier.close())

const positions = new Set(['position', 'from', 'to'])

/** Everything that the policy looks at, without positions. */
function essence(statements: ClassifiedStatement[]): unknown {
  return statements.map(({ normalized: _normalized, ...rest }) =>
    JSON.parse(JSON.stringify(rest, (key, value: unknown) => (positions.has(key) ? undefined : value))),
  )
}

test('comments, case, space and quoting never change what a statement is', async () => {
  let read = 0
  for (let seed = 1; seed <= 600; seed += 1) {
    const random = createRandom(seed)
    const tokens = randomStatement(random)
    const statements = await classifier.classify(plain(tokens), 'execute').catch(() => null)
    const disguised = disguise(tokens, random)
    const others = await classifier.classify(disguised, 'execute').catch(() => null)
    assert.deepEqual(
      others && essence(others),
      statements && essence(statements),
      `seed ${seed}: ${disguised}`,
    )
    if (statements !== null) read += 1
  }
  assert.ok(read > 400, `only ${read} of 600 parse`)
})
