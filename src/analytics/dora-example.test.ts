import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startAnalytics } from './testing-analytics.ts'

const { get, deploy, service, call } = await startAnalytics()

/** The cells of the rows below the heading that begins with these words. */
function tableIn(text: string, heading: string): string[][] {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.startsWith(heading))
  assert.ok(start > 0, heading)
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'))
  const cellsOf = (line: string): string[] =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  return lines.slice(start + 2, end).map(cellsOf)
}

const value = (text: string): number => {
  const [above = Number.NaN, below = 1] = text.split('/').map(Number)
  return above / below
}

test('the example of the documentation gives the figures that it says', async () => {
  const docs = readFileSync('docs/analytics.md', 'utf8')
  await service('shop')
  for (const row of tableIn(docs, '| Deployment | `committed_at`')) {
    const [, committed = '', started = '', finished = '', status, rework, closed = ''] = row
    const time = (cell: string): string => cell.replace('Z', ':00Z')
    const id = await deploy({
      ...{ service: 'shop', started_at: time(started), finished_at: time(finished) },
      status: status as 'succeeded',
      is_rework: rework === 'yes',
      ...(committed !== '–' && { committed_at: time(committed) }),
    })
    if (closed === '–') continue
    const times = { opened_at: time(finished), closed_at: time(closed) }
    const json = { service: 'shop', cause: 'It is slow', deployment_id: id, ...times }
    assert.equal((await call('/api/incidents', { json })).status, 201)
  }
  const report = await get('velocity?from=2026-03-02&to=2026-03-08')
  const figures = tableIn(docs, '| Figure | Value | From |')
  assert.equal(figures.length, 8)
  for (const [name = '', shown = '', from] of figures) {
    const figure = report[name.replaceAll('`', '')]
    const got = typeof figure === 'number' ? figure : figure.value
    assert.ok(Math.abs(got - value(shown)) < 1e-9, `${name}: ${got} instead of ${shown} (${from})`)
  }
  const { data } = (await call('/api/deployments?is_change_failure=true&ended_since=2026-03-02T00:00:00Z'))
    .json
  assert.equal(data.length, 4)
})
