import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMarkdownParser } from './parse.ts'
import { raiseHeadings } from './raise-headings.ts'

const tagsOf = (source: string) =>
  JSON.stringify(raiseHeadings(createMarkdownParser()(source))).match(/<h\d>/g)

test('the highest heading of a text has level three, and those below it keep their distance', () => {
  assert.deepEqual(tagsOf('## One\n\ntext\n\n### Two\n\n## Three'), ['<h3>', '<h4>', '<h3>'])
  assert.deepEqual(tagsOf('# One\n\n## Two'), ['<h3>', '<h4>'])
  assert.deepEqual(tagsOf('> #### Quoted\n\n- ##### Listed'), ['<h3>', '<h3>'])
  assert.equal(tagsOf('text'), null)
})
