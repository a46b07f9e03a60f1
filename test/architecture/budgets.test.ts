import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { measurePaths } from '../../bench/request-path/measure.ts'
import { figuresIn, linesOfParts, sizes, withFigures } from '../../scripts/docs/figures.ts'
import { maxFiles, maxLines } from './budgets.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/architecture.md'), 'utf8')
const written = figuresIn(page)

/** The page need not change with every commit. */
const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= Math.max(3, other * 0.2)

test('no part has more lines than its budget', () => {
  const parts = [...linesOfParts()]
  assert.ok(parts.length > 15, `${parts.length} parts`)
  const over = parts.filter(([part, lines]) => lines > (maxLines[part] ?? 2_000))
  assert.deepEqual(
    over,
    [],
    'Take something away, or raise the limit in test/architecture/budgets.ts with a reason.',
  )
})

test('the sizes in docs/architecture.md are those of the code', () => {
  const now = sizes().map(({ files, median, ninetyFifth }) => [files, median, ninetyFifth])
  const off = now.filter((row, index) => !row.every((n, at) => isNear(n, written.sizes[index]?.[at] ?? 0)))
  assert.deepEqual(off, [], 'Run npm run docs.')
})

test('figures that are out of date are seen', () => {
  const changed = { chat: 99, chatInGateway: 9, standup: 199 }
  assert.deepEqual(figuresIn(withFigures(page, changed)).paths, changed)
})

test('a request needs no more files than its budget, and docs/architecture.md has the figures', async () => {
  const { chat, standup } = await measurePaths()
  const now = { chat: chat.size, standup: standup.size }
  assert.ok(now.chat > 20 && now.standup > 50, JSON.stringify(now))
  for (const what of ['chat', 'standup'] as const) {
    assert.ok(now[what] <= maxFiles[what], `${what}: ${now[what]} files; npm run path lists them`)
    assert.ok(
      isNear(now[what], written.paths[what]),
      `${what}: ${now[what]} files. Run npm run docs -- --path.`,
    )
  }
})
