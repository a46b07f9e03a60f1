import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markedPieces } from './found/marked-pieces.ts'
import { toolSummary, toolTitle } from '../../ui/tool-summary.ts'
import { wordsOf } from './session/use-marked-words.ts'
import { shortPath, summaryLine } from './transcript-words.ts'
import { parametersOf, readSessionAddress, readTranscriptsAddress } from './transcripts-address.ts'

test('what an address may not say is dropped', () => {
  const address = {
    q: ' ',
    project: '/home/dev',
    assistant: 'toString',
    machine: 7,
    start_date: '2026-02-31',
  }
  assert.deepEqual(readTranscriptsAddress(address), { project: '/home/dev', machine: '7' })
  assert.deepEqual(readSessionAddress({ message: 'a', show: 'jokes', q: 'x' }), { message: 'a', q: 'x' })
})

test('both days of a range are included', () => {
  assert.deepEqual(parametersOf({ start_date: '2026-11-15', end_date: '2026-11-30' }), {
    since: '2026-11-15T00:00:00.000Z',
    until: '2026-12-01T00:00:00.000Z',
  })
})

test('an excerpt becomes text: nothing but marks is markup', () => {
  assert.deepEqual(markedPieces('a &lt;b&gt; <mark>c&amp;d</mark> &quot;e&#39;'), [
    { text: 'a <b> ', isMarked: false },
    { text: 'c&d', isMarked: true },
    { text: ' "e\'', isMarked: false },
  ])
})

test('excluded words are not marked', () => {
  assert.deepEqual(wordsOf('Total or "off by" -tax -"a b"'), ['total', 'off', 'by'])
})

test('a call is named by what says most about it', () => {
  assert.equal(toolSummary({ description: 'List', command: 'ls\n  -l' }), 'ls -l')
  assert.equal(toolSummary({ command: ['bash', '-lc', 'npm test'] }), 'npm test')
  assert.equal(toolSummary({ limit: 3, file_path: '/a.ts' }), '/a.ts')
  assert.equal(toolSummary({ color: 'red' }), 'red')
  assert.equal(toolSummary(null), '')
  assert.equal(toolTitle('mcp__git_hub__create_issue'), 'git_hub: create_issue')
  assert.equal(toolTitle('Bash'), 'Bash')
})

test('paths and summaries are short', () => {
  assert.equal(shortPath('/home/dev/shop'), '…/dev/shop')
  assert.equal(shortPath('/shop'), '/shop')
  assert.equal(summaryLine('Asked: a\nEdited 1 file\n'), 'Asked: a · Edited 1 file')
})
