import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root })

/** Targets of links to files, without the place on the page. */
function linkedFiles(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    .map((target) => join(dirname(page), target))
}

test('every link of the documentation leads to a file', () => {
  assert.ok(pages.length > 50, `${pages.length} pages`)
  const broken = pages.flatMap((page) =>
    linkedFiles(page)
      .filter((file) => !existsSync(join(root, file)))
      .map((file) => `${page}: ${file}`),
  )
  assert.deepEqual(broken, [])
})

test('the index of the documentation has every page', () => {
  const listed = new Set(linkedFiles('docs/README.md'))
  const guides = globSync('docs/*.md', { cwd: root }).filter((page) => page !== 'docs/README.md')
  assert.deepEqual(
    guides.filter((page) => !listed.has(page)),
    [],
  )
})
