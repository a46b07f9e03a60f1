/** How long a check speaks for is what its interval was then, whatever the interval is now. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { startProduct } from '#test/product'
import { waitFor } from '#test/wait'
import { send } from '../testing-records.ts'

const checked = createServer((_request, response) => response.end('ok'))
await new Promise<void>((resolve) => checked.listen(0, '127.0.0.1', resolve))
after(() => {
  checked.closeAllConnections()
  checked.close()
})
const url = `http://127.0.0.1:${(checked.address() as AddressInfo).port}`
const product = await startProduct({ UPSTREAM_PRIVATE: '1' })
const database = openDatabase(product.target, await createLog({ level: 'silent', form: 'json' }))
after(() => database.close())

/** What the public status page says of the service. */
async function shown(): Promise<{ uptime: number; checked_seconds: number }> {
  // Saving the settings makes the page forget what it kept.
  const json = { slug: 'example', title: 'Example', is_enabled: true }
  await product.call('/api/status-page', { method: 'PUT', json })
  return (await product.call('/api/status/example')).json.services[0]
}

const checks = async (id: string): Promise<number> =>
  (await send(product, 'GET', `/api/services/${id}/checks`, undefined, 200)).data.length

test('what was checked does not change with the interval, and a day has no more than 24 hours', async () => {
  const service = { name: 'shop', url, allow_private: true, is_public: true, interval_s: 3_600 }
  const { id } = await send(product, 'POST', '/api/services', service, 201)
  await waitFor('the first check', async () => (await checks(id)) === 1)
  await send(product, 'PATCH', `/api/services/${id}`, { interval_s: 10, is_paused: true }, 200)
  assert.equal((await shown()).checked_seconds, 3_600)
  const opened_at = new Date(Date.now() - 1_800_000).toISOString()
  const incident = { service: 'shop', cause: 'Reported', opened_at, closed_at: new Date().toISOString() }
  await send(product, 'POST', '/api/incidents', incident, 201)
  // Half an hour of an hour; less soon after midnight.
  assert.ok((await shown()).uptime >= 0.5)
  await send(product, 'PATCH', `/api/services/${id}`, { interval_s: 86_400, is_paused: false }, 200)
  await send(product, 'POST', `/api/services/${id}/check`, undefined, 202)
  await waitFor('another check', async () => (await checks(id)) > 1)
  assert.equal((await shown()).checked_seconds, 86_400)
})

test('the coverage is of the time that was checked, whatever the interval is now', async () => {
  const { id } = await send(product, 'POST', '/api/services', { name: 'hourly' }, 201)
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  await database.pool.query(
    `update records.services set url = 'https://shop.example', next_check_at = null, interval_s = 60,
       created_at = now() - interval '30 days' where id = $1`,
    [id],
  )
  const sums = (of: string, seconds: number | null) =>
    database.pool.query(
      `insert into records.health_rollups
       select $1, 'hour', $2::timestamptz + n * interval '1 hour', 1, 0, 0, 0, 0, null, $3, 0, 0
       from generate_series(0, 11) n`,
      [of, `${yesterday}T00:00:00Z`, seconds],
    )
  await sums(id, 3_600)
  const path = `/api/analytics/health?from=${yesterday}&to=${yesterday}&tz=UTC&service=hourly`
  const { json } = await product.call(path)
  assert.equal(json.services[0]?.coverage_percent, 50)
})

test('days that an earlier release counted keep the interval of now, and are no longer than a day', async () => {
  const { id } = await send(product, 'POST', '/api/services', { name: 'old', is_public: true }, 201)
  await database.pool.query(
    `insert into records.health_rollups (service_id, resolution, at, ok_count, failed_count, maintenance_count,
       latency_count, latency_sum_ms)
     select $1, 'day', date_trunc('day', now() - n * interval '1 day', 'UTC'), 8640 / n, 0, 0, 0, 0
     from unnest(array[1, 24]) n`,
    [id],
  )
  await database.pool.query('update records.services set is_public = id = $1', [id])
  // 8,640 checks of a minute are six days, 360 are six hours.
  assert.equal((await shown()).checked_seconds, 86_400 + 21_600)
})
