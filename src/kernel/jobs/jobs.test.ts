import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { createTestDatabase } from '#test/database'
import { createJobs } from './index.ts'

const log = await createLog({ level: 'silent', form: 'json' })
const target = await createTestDatabase()

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !condition(); tries++) await sleep(50)
  assert.ok(condition(), 'it did not happen within 20 s')
}

test('of two replicas one runs each job, and a failed job is tried again', async () => {
  const done: number[] = []
  let failures = 0
  const replicas = [1, 2].map(() => {
    const database = openDatabase(target, log)
    const jobs = createJobs(database, log)
    jobs.define<{ number: number }>('count', async ({ number }) => {
      if (number === 3 && failures === 0) {
        failures++
        throw new Error('the first try fails')
      }
      done.push(number)
    })
    return { database, jobs }
  })
  for (const { jobs } of replicas) await jobs.start()
  for (let number = 0; number < 10; number++) await replicas[number % 2]?.jobs.send('count', { number })
  await until(() => done.length >= 10)
  // Time for a job to be run twice, if it could be.
  await sleep(1_000)
  assert.deepEqual(
    done.toSorted((a, b) => a - b),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  )
  assert.equal(failures, 1)
  for (const { jobs, database } of replicas) {
    await jobs.stop()
    await database.close()
  }
})
