import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileEditsOf } from './file-edits.ts'
import { hunksOf } from './hunks.ts'
import { diffLines, type DiffLine } from './line-diff.ts'

const signs = { same: ' ', added: '+', removed: '-' }
const text = (lines: readonly DiffLine[]) => lines.map((line) => signs[line.kind] + line.text)
const edits = (tool: string, input: unknown) =>
  fileEditsOf(tool, input).map(({ path, action, lines }) => ({ path, action, lines: text(lines) }))
const changed = (lines: string[]) => [{ path: '/a.ts', action: 'changed', lines }]

test('a diff keeps equal lines and numbers the others in both files', () => {
  assert.deepEqual(diffLines('a\nb\nc\nd\n', 'a\nx\nc\nd\ne\n'), [
    { kind: 'same', text: 'a', before: 1, after: 1 },
    { kind: 'removed', text: 'b', before: 2, after: null },
    { kind: 'added', text: 'x', before: null, after: 2 },
    { kind: 'same', text: 'c', before: 3, after: 3 },
    { kind: 'same', text: 'd', before: 4, after: 4 },
    { kind: 'added', text: 'e', before: null, after: 5 },
  ])
  assert.deepEqual(text(diffLines('', 'a')), ['+a'])
  assert.deepEqual(text(diffLines('a\r\nb', 'a\nb')), [' a', ' b'])
})

test('a diff is always complete: removing the added lines gives the text before', () => {
  let seed = 7
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 300; round++) {
    const make = () => Array.from({ length: random(12) }, () => 'abcd'[random(4)]).join('\n')
    const [before, after] = [make(), make()]
    const lines = diffLines(before, after)
    const without = (kind: string) => lines.filter((line) => line.kind !== kind).map((line) => line.text)
    assert.equal(without('added').join('\n'), before)
    assert.equal(without('removed').join('\n'), after)
  }
})

test('two long texts without a common line are compared at once', () => {
  const make = (sign: string) => Array.from({ length: 20_000 }, (_, line) => `${sign}${line}`).join('\n')
  assert.equal(diffLines(make('a'), make('b')).length, 40_000)
})

test('far apart changes become hunks with three lines around them', () => {
  const before = Array.from({ length: 30 }, (_, line) => `line ${line}`)
  const after = before.with(5, 'five').with(25, 'twenty-five')
  const hunks = hunksOf(diffLines(before.join('\n'), after.join('\n')))
  assert.deepEqual(
    hunks.map(({ skipped, lines }) => [skipped, lines.length, lines[0]?.text]),
    [
      [2, 8, 'line 2'],
      [13, 8, 'line 22'],
    ],
  )
})

test('edits are found in the inputs of every assistant', () => {
  const one = changed(['-1', '+2'])
  assert.deepEqual(edits('Edit', { file_path: '/a.ts', old_string: '1', new_string: '2' }), one)
  assert.deepEqual(edits('edit', { filePath: '/a.ts', oldString: '1', newString: '2' }), one)
  assert.deepEqual(edits('edit', { path: '/a.ts', old_str: '1', new_str: '2' }), one)
  assert.deepEqual(edits('edit', { path: '/a.ts', oldText: '1', newText: '2' }), one)
  assert.deepEqual(edits('replace', { file_path: '/a.ts', old_string: '1', new_string: '2' }), one)
  assert.deepEqual(
    edits('MultiEdit', {
      file_path: '/a.ts',
      edits: [
        { old_string: '1', new_string: '2' },
        { old_string: '3', new_string: '' },
      ],
    }),
    changed(['-1', '+2', '-3']),
  )
  assert.deepEqual(
    edits('replace_in_file', {
      path: '/a.ts',
      diff: '------- SEARCH\n1\n=======\n2\n+++++++ REPLACE',
    }),
    one,
  )
  assert.deepEqual(edits('write_to_file', { path: '/a.ts', content: 'x\ny\n' }), [
    { path: '/a.ts', action: 'created', lines: ['+x', '+y'] },
  ])
})

test('patches and diffs are read as such', () => {
  const patch =
    '*** Begin Patch\n*** Update File: /a.ts\n@@ function a\n same\n-1\n+2\n*** Add File: b\n+new\n*** Delete File: c\n*** End Patch'
  const files = [
    { path: '/a.ts', action: 'changed', lines: [' same', '-1', '+2'] },
    { path: 'b', action: 'created', lines: ['+new'] },
    { path: 'c', action: 'deleted', lines: [] },
  ]
  assert.deepEqual(edits('apply_patch', patch), files)
  assert.deepEqual(edits('apply_patch', { input: patch }), files)
  assert.deepEqual(edits('shell', { command: ['apply_patch', patch] }), files)
  const [file] = fileEditsOf('apply_patch', {
    changes: { '/a.ts': { type: 'update', unified_diff: '@@ -9,2 +9,2 @@\n same\n-1\n+2\n' } },
  })
  assert.deepEqual(file?.lines, [
    { kind: 'same', text: 'same', before: 9, after: 9 },
    { kind: 'removed', text: '1', before: 10, after: null },
    { kind: 'added', text: '2', before: null, after: 10 },
  ])
})

test('other inputs are no edits', () => {
  for (const input of [
    null,
    'ls',
    7,
    [],
    {},
    { file_path: '/a' },
    { path: '/a', content: 'x' },
    { edits: 1 },
  ])
    assert.deepEqual(edits('Read', input), [], JSON.stringify(input))
})
