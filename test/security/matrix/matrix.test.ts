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

test('every kind of principal gets from every route what the route declares', async () => {
  const { wrong, neverDone, rows } = await runMatrix(server, await principalsOf(server), someOfEachKind)
  assert.deepEqual(wrong, [])
  // A route that its example cannot use needs a better example, or a reason in fails-for-everybody.ts.
  assert.deepEqual(neverDone, Object.keys(failsForEverybody).toSorted())
  const columns = new Set([...rows.values()].flatMap((row) => [...row.keys()]))
  assert.ok(columns.size >= 29, `${columns.size} principals`)
})
