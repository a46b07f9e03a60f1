import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSpans } from './inline.ts'
import { splitBlocks, type List } from './markdown.ts'

test('paragraphs, headings, rules and quotes are told apart', () => {
  assert.deepEqual(splitBlocks('# One\nfirst\nsecond\n\n---\n> said\n> again\nafter'), [
    { kind: 'heading', level: 1, text: 'One' },
    { kind: 'paragraph', text: 'first\nsecond' },
    { kind: 'rule' },
    { kind: 'quote', text: 'said\nagain' },
    { kind: 'paragraph', text: 'after' },
  ])
})

test('code keeps every letter, and Markdown within it means nothing', () => {
  const source = 'See:\n```py\n# not a title\n- **x**\n```\nend'
  assert.deepEqual(splitBlocks(source)[1], { kind: 'code', text: '# not a title\n- **x**', language: 'py' })
  assert.deepEqual(splitBlocks('````\n```\n````'), [{ kind: 'code', text: '```', language: '' }])
})

test('code that is still arriving is code already', () => {
  assert.deepEqual(splitBlocks('```ts\nconst a'), [{ kind: 'code', text: 'const a', language: 'ts' }])
})

test('lists hold lists, have a first number and items of several lines', () => {
  const item = (text: string, nested: List | null = null) => ({ text, nested })
  const list = (start: number | null, ...items: List['items']): List => ({
    kind: 'list',
    ordered: start !== null,
    start: start ?? 1,
    items,
  })
  const source = '3. one\n   - two\n     more\n   - three\n4. four'
  const inner = list(null, item('two\nmore'), item('three'))
  assert.deepEqual(splitBlocks(source), [list(3, item('one', inner), item('four'))])
  assert.deepEqual(splitBlocks('* a\n* b'), [list(null, item('a'), item('b'))])
})

test('code within a list item loses the indent of the item', () => {
  const [, code] = splitBlocks('1. do\n\n   ```sh\n   ls\n     -l\n   ```')
  assert.deepEqual(code, { kind: 'code', text: 'ls\n  -l', language: 'sh' })
})

test('every piece of an arriving answer can be split', () => {
  const source = '# A\n\n1. **b** `c`\n\n```js\nx\n```\n| a | b |\n|--|--|\n> q\n***\n'
  for (let end = 0; end <= source.length; end += 1) assert.ok(splitBlocks(source.slice(0, end)))
})

test('spans: code, bold, italic and links', () => {
  assert.deepEqual(readSpans('a `b*c*` **d `e`** *f* 2 * 3 * 4'), [
    { kind: 'text', text: 'a ' },
    { kind: 'code', text: 'b*c*' },
    { kind: 'text', text: ' ' },
    {
      kind: 'bold',
      spans: [
        { kind: 'text', text: 'd ' },
        { kind: 'code', text: 'e' },
      ],
    },
    { kind: 'text', text: ' ' },
    { kind: 'italic', spans: [{ kind: 'text', text: 'f' }] },
    { kind: 'text', text: ' 2 * 3 * 4' },
  ])
})

test('only web addresses become links, and markup stays text', () => {
  assert.deepEqual(readSpans('[x](https://example.com/a)'), [
    { kind: 'link', text: 'x', href: 'https://example.com/a' },
  ])
  for (const text of ['[x](javascript:alert(1))', '[x](data:text/html,1)', '<img src=x onerror=alert(1)>'])
    assert.deepEqual(readSpans(text), [{ kind: 'text', text }])
})
