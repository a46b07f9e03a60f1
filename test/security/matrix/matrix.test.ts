import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAudited } from '../server.ts'
import { missingFrom } from './expected.ts'
import { failsForEverybody } from './fails-for-everybody.ts'
import { runMatrix, someOfEachKind } from './matrix.ts'
import { principalsOf } from './principals.ts'

const server = await startAudited()

test('every route says who may call it, and why where it is for everybody', () => {
  const missing = [...server.routes].flatMap(([key, route]) => {
    const what = missingFrom(route)
    return what === undefined ? [] : [`${key} ${what}`]
  })
  assert.deepEqual(missing, [])
})

test('a route that leaves its cells open is found', () => {
  const planted = { method: 'GET', template: '/planted', operationId: undefined, forPages: false }
  assert.match(missingFrom({ ...planted, config: {} }) ?? '', /config.needs/)
  assert.match(missingFrom({ ...planted, config: { needs: 'page' } }) ?? '', /config.open/)
  assert.match(missingFrom({ ...planted, config: { needs: 'read', open: 'why not' } }) ?? '', /config.open/)
  assert.match(missingFrom({ ...planted, config: { needs: 'anyone', open: 'x', roles: [] } }) ?? '', /roles/)
})

test('the key of a run opens the gateway and the routes of its tools, and nothing else', () => {
  const open = [...server.routes].flatMap(([key, { config }]) => (config.forRuns ? [key] : []))
  assert.deepEqual(open.toSorted(), [
    'GET /api/agent-runs/{run_id}',
    'GET /api/console/search',
    'GET /api/deployments',
    'GET /api/deployments/{id}',
    'GET /api/devlogs',
    'GET /api/devlogs/{id}',
    'GET /api/initiatives',
    'GET /api/initiatives/{id}',
    'GET /api/tickets',
    'GET /api/tickets/{id}',
    'GET /api/transcripts/search',
    'GET /api/transcripts/{id}',
    'GET /api/v1/analytics/by-key',
    'GET /api/v1/analytics/by-model',
    'GET /api/v1/analytics/by-provider',
    'GET /api/v1/analytics/daily',
    'GET /api/v1/logs/summary',
    'GET /api/v1/me',
    'GET /api/v1/sql/approvals/{id}',
    'GET /api/v1/sql/databases',
    'GET /api/v1/sql/logs',
    'POST /api/agents/{id}/ask',
    'POST /api/v1/search',
    'POST /api/v1/sql/execute',
    'POST /api/v1/sql/explain-policy',
    'POST /api/v1/sql/migrate',
    'POST /mcp',
    'POST /v1/chat/completions',
    'POST /v1/messages',
    'POST /v1/messages/count_tokens',
    'POST /v1/responses',
    'POST /v1/responses/compact',
    'POST /v1/responses/input_tokens',
  ])
})

test('every kind of principal gets from every route what the route declares', async () => {
  const { wrong, neverDone, rows } = await runMatrix(server, await principalsOf(server), someOfEachKind)
  assert.deepEqual(wrong, [])
  // A route that its example cannot use needs a better example, or a reason in fails-for-everybody.ts.
  assert.deepEqual(neverDone, Object.keys(failsForEverybody).toSorted())
  const columns = new Set([...rows.values()].flatMap((row) => [...row.keys()]))
  assert.ok(columns.size >= 30, `${columns.size} principals`)
})
