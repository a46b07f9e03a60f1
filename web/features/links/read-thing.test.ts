import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readThing } from './read-thing.ts'

const origin = 'https://signalbox.example'
const id = '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f'

test('a pasted address or hash is the thing that it is about', () => {
  const read = (text: string) => {
    const thing = readThing(text, origin)
    return thing && `${thing.type} ${thing.id}`
  }
  assert.equal(read(`${origin}/tickets/${id}`), `ticket ${id}`)
  assert.equal(read(` /transcripts/${id} `), `session ${id}`)
  assert.equal(read(`/agents/runs/${id}`), `run ${id}`)
  assert.equal(read('/initiatives/checkout'), 'initiative checkout')
  assert.equal(read(`/initiatives/checkout?decision=${id}`), `decision ${id}`)
  assert.equal(read(`/deployments/${id}`), `deployment ${id}`)
  assert.equal(read(`/incidents/${id}`), `incident ${id}`)
  assert.equal(read(`/why?type=deployment&id=${id}`), `deployment ${id}`)
  assert.equal(read(`/logs?request=req_${'a'.repeat(32)}`), `request req_${'a'.repeat(32)}`)
  assert.equal(
    read('https://github.com/shop/checkout/pull/7'),
    'pull_request https://github.com/shop/checkout/pull/7',
  )
  assert.equal(read('https://github.com/shop/checkout/commit/9fceb02d'), 'commit 9fceb02d')
  assert.equal(read('9fceb02'), 'commit 9fceb02')
})

test('anything else is nothing', () => {
  for (const text of [
    '',
    'a ticket',
    '/tickets',
    '/why?type=planet&id=1',
    'javascript:alert(1)',
    '/settings/7',
  ])
    assert.equal(readThing(text, origin), undefined, text)
})
