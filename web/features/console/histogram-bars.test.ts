import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barsOf, stepOf, zoomOf } from './histogram-bars.ts'

const at = (time: string) => Date.parse(`2026-11-16T${time}:00.000Z`)
const span = { from: at('10:07'), to: at('11:07') }
const point = (time: string, count: number, errors = 0) => ({
  at: `2026-11-16T${time}:00.000Z`,
  count,
  errors,
})

test('the step is the smallest round one that fits', () => {
  assert.equal(stepOf(span, 60), 60_000)
  assert.equal(stepOf(span, 59), 120_000)
  assert.equal(stepOf({ from: 0, to: 24 * 3_600_000 }, 96), 15 * 60_000)
  assert.equal(stepOf({ from: 0, to: 30 * 24 * 3_600_000 }, 60), 12 * 3_600_000)
})

test('counts fall into their bar, and bars without events are there too', () => {
  const bars = barsOf(
    [point('10:06', 9), point('10:14', 2, 1), point('10:19', 3), point('11:06', 4)],
    span,
    13,
  )
  assert.deepEqual(
    bars.map(({ count, errors }) => `${count}/${errors}`),
    ['9/0', '2/1', '3/0', '0/0', '0/0', '0/0', '0/0', '0/0', '0/0', '0/0', '0/0', '0/0', '4/0'],
  )
  assert.equal(bars[0]?.from, at('10:05'))
  assert.equal(bars.at(-1)?.to, at('11:10'))
})

test('points outside the span are left out', () => {
  const bars = barsOf([point('09:00', 5), point('12:00', 5)], span, 13)
  assert.equal(
    bars.reduce((sum, { count }) => sum + count, 0),
    0,
  )
})

test('a drag zooms to whole bars, in either direction; one that ends in the present stays open', () => {
  const bars = barsOf([], span, 13)
  const zoomed = { since: '2026-11-16T10:10:00.000Z', until: '2026-11-16T10:25:00.000Z' }
  assert.deepEqual(zoomOf(bars, 1, 3, span.to), zoomed)
  assert.deepEqual(zoomOf(bars, 3, 1, span.to), zoomed)
  assert.deepEqual(zoomOf(bars, 12, 99, span.to), { since: '2026-11-16T11:05:00.000Z' })
})
