/**
 * All principals on all routes, printed as a table: too long for every run of the tests. `npm run audit:security`
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAudited } from '../server.ts'
import { failsForEverybody } from './fails-for-everybody.ts'
import { runMatrix, type Matrix } from './matrix.ts'
import { principalsOf, type Sender } from './principals.ts'

const server = await startAudited()

test('every principal gets from every route what the route declares', async () => {
  const senders = await principalsOf(server)
  const { wrong, neverDone, rows } = await runMatrix(server, senders)
  print(senders, rows)
  assert.deepEqual(wrong, [])
  assert.deepEqual(neverDone, Object.keys(failsForEverybody).toSorted())
})

function print(senders: readonly Sender[], rows: Matrix['rows']): void {
  for (const [index, { name }] of senders.entries()) console.log(`${String(index + 1).padStart(2)} ${name}`)
  const width = Math.max(...[...rows.keys()].map((key) => key.length))
  const line = (cells: unknown[]): string => cells.map((cell) => String(cell).padStart(4)).join(' ')
  console.log(' '.repeat(width), line(senders.map((_sender, index) => index + 1)))
  for (const [key, row] of rows)
    console.log(key.padEnd(width), line(senders.map(({ name }) => row.get(name) ?? '?')))
}
