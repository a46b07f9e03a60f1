import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMarkdownParser } from './parse.ts'

const parse = (source: string) => createMarkdownParser()(source)
const html = (text: string) => ({ kind: 'html', html: text })

test('headings start at level three, and line breaks are kept', () => {
  assert.deepEqual(parse('# One\nfirst\nsecond\n\n---\n> said'), [
    html('<h3>One</h3>\n'),
    html('<p>first<br>second</p>\n'),
    html('<hr>\n'),
    { kind: 'quote', blocks: [html('<p>said</p>\n')] },
  ])
})

test('code keeps every character, also within a list and while it is still arriving', () => {
  assert.deepEqual(parse('```py title="x"\n# not a title\n- **x**\n```\n'), [
    { kind: 'code', text: '# not a title\n- **x**', language: 'py' },
  ])
  assert.deepEqual(parse('```ts\nconst a'), [{ kind: 'code', text: 'const a', language: 'ts' }])
  assert.deepEqual(parse('3. do\n\n   ```sh\n   ls\n     -l\n   ```'), [
    {
      kind: 'list',
      start: 3,
      items: [[html('<p>do</p>\n'), { kind: 'code', text: 'ls\n  -l', language: 'sh' }]],
    },
  ])
})

test('a task shows its state beside its text', () => {
  assert.deepEqual(parse('- [x] a\n- [ ] b'), [
    { kind: 'list', start: null, items: [[html('☑ a')], [html('☐ b')]] },
  ])
})

test('formulas stay unchanged, and prices are not formulas', () => {
  const line = 'So $a_1 * b_2 * c$, \\(x_{1}^*\\) and \\[ a \\\\ b \\] cost $5 and $10'
  assert.deepEqual(parse(line), [html(`<p>${line}</p>\n`)])
  assert.deepEqual(parse('$$\nx\n===\n- y\n$$\n'), [{ kind: 'text', text: '$$\nx\n===\n- y\n$$' }])
  assert.deepEqual(parse('$a<b$'), [html('<p>$a&#60;b$</p>\n')])
})

test('an image becomes a link', () => {
  assert.deepEqual(parse('![A "cat"](https://a.example/1.png)'), [
    html('<p><a href="https://a.example/1.png">A &#34;cat&#34;</a></p>\n'),
  ])
})

test('text that arrives letter by letter gives the same blocks as the whole text', () => {
  const sources = [
    '# A\n\n1. **b** `c`\n2. d\n\n   e\n\n- f\n\n```js\nx\n\ny\n```\n| a | b |\n|--|--|\n| 1 | 2 |\n\n> q\n> r\n\nend\n***\n',
    'Title\n===\n\ntext\n\n    code\n\n    more\n\nnext\n\n<details>\n\ninside\n\n</details>\n\n$$\na\n$$\nlast',
    'See [a] and [b][a].\n\nOne.\n\nTwo.\n\n[a]: https://a.example\n\nThree.\n\nFour.',
    'one\r\n\r\ntwo\r\n\r\n- a\r\n- b\r\n\r\nthree\r\n\r\nfour\r\n',
  ]
  for (const source of sources) {
    const growing = createMarkdownParser()
    for (let end = 0; end <= source.length; end += 1) {
      const part = source.slice(0, end)
      assert.deepEqual(growing(part), parse(part), JSON.stringify(part))
    }
  }
})

test('a different text is parsed from the start', () => {
  const parser = createMarkdownParser()
  parser('one\n\ntwo\n\nthree\n\nfour')
  assert.deepEqual(parser('five'), [html('<p>five</p>\n')])
})

test('nesting beyond the parser’s limit is shown as plain text', () => {
  const source = '>'.repeat(10_000)
  assert.deepEqual(parse(source), [{ kind: 'text', text: source }])
})
