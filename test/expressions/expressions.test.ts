import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTest, readSources } from '../architecture/source.ts'
import { slowText } from './attack.ts'
import { literalsOf } from './literals.ts'

test('every regular expression of the server takes linear time, also for texts that were made for it', () => {
  const slow: string[] = []
  let count = 0
  for (const [file, text] of readSources('src/**/*.ts')) {
    if (isTest(file)) continue
    for (const expression of literalsOf(file, text)) {
      count++
      const name = `${file} /${expression.source}/${expression.flags}`
      const attack = slowText(expression)
      if (attack !== undefined) slow.push(`${name} is slow for ${JSON.stringify(attack)}`)
    }
  }
  assert.ok(count > 400, `${count} expressions`)
  assert.deepEqual(slow, [])
})

test('the run finds expressions that are not linear', () => {
  const slow = [
    '\\s+$',
    '^(a+)+$',
    '--(?:[a-z-]*-)?(?:password|key)([ \\t]+)',
    '<a\\b[^>]*>',
    '(\\w+\\.)+x',
    'a.*b.*c',
  ]
  for (const source of slow) assert.notEqual(slowText({ source, flags: 'g' }), undefined, source)
  const fast = ['(?<!\\s)\\s+$', '--(?:[a-z-]{0,40}-)?key', '<a\\b[^<>]{0,200}>', '^\\w+$']
  for (const source of fast) assert.equal(slowText({ source, flags: 'g' }), undefined, source)
})
