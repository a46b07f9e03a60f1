import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createEvents } from '#kernel/events'
import { createLog } from '#kernel/log'
import { joinReplicas } from '#kernel/replicas'
import { createTestDatabase } from '#test/database'
import { waitFor } from '#test/wait'
import { createJobs } from './index.ts'

const log = await createLog({ level: 'silent', form: 'json' })
const events = createEvents(log)
const failed: string[] = []
events.on('activity', ({ title, message }) => failed.push(`${title}: ${message}`))
const target = await createTestDatabase()

test('of two replicas one runs each job, and a failed job is tried again', async () => {
  const done: number[] = []
  let failures = 0
  const replicas = [1, 2].map(() => {
    const database = openDatabase(target, log)
    const jobs = createJobs(database, log, events)
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
  await waitFor('ten jobs', () => done.length >= 10)
  // A job that ran twice would have done so before one that was sent later.
  await replicas[0]?.jobs.send('count', { number: 10 })
  await waitFor('the last job', () => done.includes(10))
  assert.deepEqual(
    done.toSorted((a, b) => a - b),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  )
  assert.equal(failures, 1)
  assert.deepEqual(failed, ['Background job count failed: the first try fails'])
  for (const { jobs, database } of replicas) {
    await jobs.stop()
    await database.close()
  }
})

test('a job that runs at the start too runs once, however many replicas start', async () => {
  const own = await createTestDatabase()
  const ran: string[] = []
  const replicas = ['a', 'b'].map((name) => {
    const database = openDatabase(own, log)
    const jobs = createJobs(database, log, events)
    jobs.define('clean', async () => void ran.push('clean'), { cron: '0 0 1 1 *', atStart: true })
    jobs.define('later', async () => void ran.push(name))
    return { database, jobs }
  })
  for (const { jobs } of replicas) await jobs.start()
  await waitFor('the job of the start', () => ran.includes('clean'))
  await replicas[0]?.jobs.send('later', {})
  await waitFor('a later job', () => ran.length > 1)
  assert.equal(ran.filter((name) => name === 'clean').length, 1)
  for (const { jobs, database } of replicas) {
    await jobs.stop()
    await database.close()
  }
})

test('a job of the start runs again after a restart, however soon that comes', async () => {
  const own = await createTestDatabase()
  let ran = 0
  for (const times of [1, 2]) {
    const database = openDatabase(own, log)
    const replica = await joinReplicas(database, '1', { masterKeyId: 'a', sessionFingerprint: 'b' }, log)
    const jobs = createJobs(database, log, events)
    jobs.define('clean', async () => void ran++, { atStart: true })
    await jobs.start()
    await waitFor('the job of the start', () => ran === times)
    await jobs.stop()
    await replica.stop()
    await database.close()
  }
})
