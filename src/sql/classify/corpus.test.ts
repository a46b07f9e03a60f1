import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createLog } from '#kernel/log'
import { corpus } from '#test/sql-corpus'
import type { ClassifiedStatement } from './classification.ts'
import { createClassifier } from './create-classifier.ts'

const classifier = createClassifier({ log: await createLog({ level: 'silent', form: 'json' }) })
after(() => classifier.close())

/** Null for what does not parse. */
async function classify(sql: string): Promise<ClassifiedStatement[] | null> {
  return classifier.classify(sql, 'execute').catch(() => null)
}

const sorted = (names: string[]): string[] => [...new Set(names)].toSorted()

test('every statement of the corpus has the operations that PostgreSQL would run', async () => {
  assert.equal(corpus.length, 174)
  for (const { id, sql, operations } of corpus) {
    const statements = await classify(sql)
    const found = statements?.flatMap((statement) =>
      statement.operations.filter(({ inner }) => !inner).map(({ name }) => name),
    )
    assert.deepEqual(found ? sorted(found) : null, operations && sorted(operations), `${id}: ${sql}`)
  }
})

test('every function that matters in the corpus is found', async () => {
  for (const { id, sql, functions } of corpus) {
    const statements = (await classify(sql)) ?? []
    const found = statements.flatMap((statement) => statement.functions.map(({ name }) => name))
    assert.deepEqual(
      functions.filter((name) => !found.includes(name)),
      [],
      id,
    )
  }
})
