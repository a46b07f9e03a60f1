import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLink } from './read-link.ts'

const own = 'http://127.0.0.1:8000'
const id = '0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f'

test('a pasted page of the dashboard becomes a link to its record', () => {
  assert.deepEqual(readLink(`${own}/transcripts/${id}?q=a`, own), { kind: 'transcript', target: id })
  assert.deepEqual(readLink(` /devlogs/${id.toUpperCase()} `, own), { kind: 'devlog', target: id })
  assert.deepEqual(readLink(`/tickets/${id}`, own), { kind: 'ticket', target: id })
})

test('other pages of the web are addresses; what leads nowhere is refused', () => {
  assert.deepEqual(readLink('https://example.com/brief', own), {
    kind: 'url',
    target: 'https://example.com/brief',
  })
  for (const text of ['javascript:alert(1)', '/tickets', `/keys/${id}`, 'http://', '', '/constructor'])
    assert.equal(readLink(text, own), undefined, text)
})
