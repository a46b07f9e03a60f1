import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createEvents } from '#kernel/events'
import type { Jobs } from '#kernel/jobs'
import { createLog } from '#kernel/log'
import { startProduct } from '#test/product'
import { createRecords } from '../index.ts'
import { send } from '../testing-records.ts'

const product = await startProduct()
const log = await createLog({ level: 'silent', form: 'json' })
const database = openDatabase(product.target, log)
after(() => database.close())

/** The job that the part defines, as the queue would run it. */
function retentionJob(): () => Promise<void> {
  const records = createRecords({
    database,
    config: product.config,
    events: createEvents(log),
    log,
    version: 'test',
  })
  let job: (() => Promise<void>) | undefined
  const define: Jobs['define'] = (_name, work) => void (job = () => work({} as never))
  records.jobs?.({ define } as Jobs)
  assert.ok(job)
  return job
}

test('checks are kept for a week; sums for 24 hours, 30 days and 365 days', async () => {
  const { id } = await send(product, 'POST', '/api/services', { name: 'old' }, 201)
  const hours = [1, 23, 25, 167, 169, 24 * 29, 24 * 31, 24 * 364, 24 * 366]
  await database.pool.query(
    `insert into records.health_checks (service_id, at, ok, in_maintenance)
     select $1, now() - make_interval(hours => h), true, false from unnest($2::int[]) as h`,
    [id, hours],
  )
  await database.pool.query(
    `insert into records.health_rollups
     select $1, r, now() - make_interval(hours => h), 1, 0, 0, 0, 0, null
     from unnest($2::int[]) as h, unnest(array['minute', 'hour', 'day']) as r`,
    [id, hours],
  )
  await retentionJob()()
  const count = async (path: string): Promise<number> =>
    (await send(product, 'GET', `/api/services/${id}/${path}`, undefined, 200)).data.length
  assert.equal(await count('checks'), 4)
  assert.equal(await count('history?resolution=minute'), 2)
  assert.equal(await count('history?resolution=hour'), 6)
  assert.equal(await count('history?resolution=day'), 8)
})
