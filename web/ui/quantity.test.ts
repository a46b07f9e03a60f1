import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesText, counted, durationText, percentText, shortCount } from './quantity.ts'

test('durations use the unit that fits', () => {
  assert.equal(durationText(412), '412 ms')
  assert.equal(durationText(2410), '2.41 s')
  assert.equal(durationText(999.6), '1 s')
  assert.equal(durationText(9996), '10 s')
  assert.equal(durationText(12_340), '12.3 s')
  assert.equal(durationText(59_960), '1 min')
  assert.equal(durationText(72_400), '1 min 12 s')
  assert.equal(durationText(599_600), '10 min')
  assert.equal(durationText(42.4 * 60_000), '42 min')
  assert.equal(durationText(59.7 * 60_000), '1 h')
  assert.equal(durationText(185 * 60_000), '3 h 5 min')
  assert.equal(durationText(47.999 * 3_600_000), '2 d')
  assert.equal(durationText(52 * 3_600_000), '2 d 4 h')
  assert.equal(durationText(1200 * 86_400_000), '1,200 d')
})

test('only long numbers are shortened', () => {
  assert.equal(shortCount(9999), '9,999')
  assert.equal(shortCount(1_234_567), '1.2M')
  assert.equal(percentText(0.0123), '1.2%')
  assert.equal(counted(1, 'request'), '1 request')
  assert.equal(counted(1200, 'request'), '1,200 requests')
})

test('bytes are shown in kB and MB', () => {
  assert.equal(bytesText(0), '0 kB')
  assert.equal(bytesText(1), '1 kB')
  assert.equal(bytesText(512_000), '512 kB')
  assert.equal(bytesText(16_777_216), '16.8 MB')
})
