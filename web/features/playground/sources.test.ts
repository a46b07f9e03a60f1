import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyDraft, fold } from './fold.ts'
import { numberSources } from './sources.ts'

const foldAll = (...chunks: unknown[]) =>
  chunks.map((chunk) => JSON.stringify(chunk)).reduce(fold, emptyDraft)
const shown = (...chunks: unknown[]) =>
  numberSources(foldAll(...chunks).sources).map(({ number, title, host, url }) => [number, title, host, url])
const cite = (url: unknown, title?: unknown) => ({ type: 'url_citation', url_citation: { url, title } })
const delta = (annotations: unknown) => ({ choices: [{ delta: { annotations } }] })

test('sources keep the numbers that the text refers to, whatever is cited first', () => {
  const pages = [
    { id: 1, title: 'One', url: 'https://a.example/1' },
    { id: 2, title: 'Two', url: 'https://b.example/2' },
    { id: 3, title: 'One again', url: 'https://a.example/1' },
    { id: 4, title: 'Four', url: 'https://c.example/' },
  ]
  const chunks = [
    delta([cite('https://b.example/2', 'Two'), cite('https://d.example/x', 'Beside')]),
    { choices: [{ delta: {} }], citations: pages.map(({ url }) => url), search_results: pages },
  ]
  assert.deepEqual(shown(...chunks), [
    [1, 'One', 'a.example', 'https://a.example/1'],
    [2, 'Two', 'b.example', 'https://b.example/2'],
    [4, 'Four', 'c.example', 'https://c.example/'],
    [5, 'Beside', 'd.example', 'https://d.example/x'],
  ])
})

test('bare addresses are numbered in their order, and take a title from an annotation', () => {
  const citations = ['https://a.example/', 'https://b.example/']
  assert.deepEqual(shown({ choices: [], citations }, delta([cite('https://b.example', 'Two')])), [
    [1, '', 'a.example', 'https://a.example/'],
    [2, 'Two', 'b.example', 'https://b.example/'],
  ])
})

test('annotations are found in chunks and in a complete message, each page once', () => {
  const message = { content: 'Hi', annotations: [cite('https://a.example/', 'One')] }
  assert.deepEqual(
    shown(delta([cite('https://a.example/', '')]), delta(null), { choices: [{ delta: {}, message }] }),
    [[1, 'One', 'a.example', 'https://a.example/']],
  )
})

test('only web addresses become links', () => {
  const urls = ['javascript:alert(1)', 'data:text/html,x', '//a.example', 'file:///etc/passwd', '', 5, null]
  assert.deepEqual(shown(delta(urls.map((url) => cite(url, 'Click')))), [])
  assert.deepEqual(shown({ citations: ['javascript:alert(1)', 'https://a.example/'] }), [
    [2, '', 'a.example', 'https://a.example/'],
  ])
})

test('a user name before an @ is not shown as the host', () => {
  assert.deepEqual(shown({ citations: ['https://bank.example@evil.example/'] }), [
    [1, '', 'evil.example', 'https://evil.example/'],
  ])
})

test('sources of any shape break nothing', () => {
  for (const junk of [null, 5, 'x', {}, [null], [[]], [5], [{ url: {} }], [{ url_citation: 'x' }]]) {
    assert.deepEqual(shown(delta(junk)), [])
    assert.deepEqual(shown({ citations: junk === 'x' ? null : junk, search_results: junk }), [])
  }
  const many = Array.from({ length: 5000 }, (_, index) => `https://a.example/${index}`)
  assert.equal(shown({ citations: many }).length, 100)
})
