import { diffLines, linesOf, type DiffLine } from './line-diff.ts'
import { readPatch, readSearchBlocks, readUnifiedDiff, type PatchedFile } from './patch.ts'

/** What a tool call does to one file. */
export type FileEdit = PatchedFile

type Input = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (input: Input, names: readonly string[]): string | undefined => {
  for (const name of names) if (typeof input[name] === 'string') return input[name]
  return undefined
}

const pathNames = ['file_path', 'filePath', 'path', 'notebook_path', 'absolute_path', 'target_file']
const oldNames = ['old_string', 'oldString', 'old_str', 'oldText', 'old_text']
const newNames = ['new_string', 'newString', 'new_str', 'newText', 'new_text', 'new_source']
const wholeNames = ['content', 'file_text', 'contents', 'fileText']
const patchNames = ['input', 'patch', 'patchText', 'patch_text', 'diff', 'command', 'cmd']

/** Longer inputs are shown as text: comparing them would hold up the page. */
const maxLength = 400_000

/**
 * The edits in the input of a tool call, whichever assistant made it: each names its fields differently. Empty if the
 * call edits nothing.
 */
export function fileEditsOf(toolName: string | null, input: unknown): FileEdit[] {
  if (typeof input === 'string') return input.length > maxLength ? [] : patchesIn(input)
  if (!isObject(input)) return []
  const path = textOf(input, pathNames)
  if (isObject(input['changes'])) return changesOf(input['changes'])
  const replaced = path === undefined ? null : replacedIn(path, input)
  if (replaced) return [replaced]
  const patched = patchNames.flatMap((name) => patchesIn(textsOf(input[name]), path))
  if (patched.length > 0) return patched
  const whole = textOf(input, wholeNames)
  return path !== undefined && whole !== undefined && isWriter(toolName) ? [created(path, whole)] : []
}

const isWriter = (toolName: string | null): boolean => /write|create|save|new_file/i.test(toolName ?? '')

const textsOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.filter((part) => typeof part === 'string').join('\n')
      : ''

function created(path: string, content: string): FileEdit {
  const lines = linesOf(content.slice(0, maxLength))
  return {
    path,
    action: 'created',
    lines: lines.map((text, index) => ({ kind: 'added', text, before: null, after: index + 1 })),
  }
}

/** One replacement, or several in `edits`. */
function replacedIn(path: string, input: Input): FileEdit | null {
  const edits = Array.isArray(input['edits']) ? input['edits'].filter(isObject) : [input]
  const lines = edits.flatMap((edit) => {
    const after = textOf(edit, newNames)
    const before = textOf(edit, oldNames) ?? (after === undefined ? undefined : '')
    if (before === undefined || before.length + (after ?? '').length > maxLength) return []
    return unnumbered(diffLines(before, after ?? ''))
  })
  return lines.length === 0 ? null : { path, action: 'changed', lines }
}

/** Where a replaced text lies in its file is not known. */
const unnumbered = (lines: readonly DiffLine[]): DiffLine[] =>
  lines.map((line) => ({ ...line, before: null, after: null }))

function patchesIn(text: string, path?: string): FileEdit[] {
  if (text.length > maxLength) return []
  if (text.includes('*** Begin Patch')) return readPatch(text)
  if (path === undefined) return []
  const blocks = readSearchBlocks(text)
  if (blocks.length > 0)
    return [
      {
        path,
        action: 'changed',
        lines: blocks.flatMap(({ before, after }) => unnumbered(diffLines(before, after))),
      },
    ]
  const lines = /^@@ -\d/m.test(text) ? readUnifiedDiff(text) : []
  return lines.length === 0 ? [] : [{ path, action: 'changed', lines }]
}

const changeActions: Partial<Record<string, FileEdit['action']>> = { add: 'created', delete: 'deleted' }

/** `{ path: { type, unified_diff } }` or with `content`. */
function changesOf(changes: Input): FileEdit[] {
  return Object.entries(changes).flatMap(([path, change]) => {
    if (!isObject(change)) return []
    const type = typeof change['type'] === 'string' ? change['type'] : 'update'
    const action = changeActions[type] ?? 'changed'
    const diff = textOf(change, ['unified_diff', 'unifiedDiff'])
    if (diff !== undefined) return [{ path, action, lines: readUnifiedDiff(diff.slice(0, maxLength)) }]
    const whole = created(path, textOf(change, wholeNames) ?? '')
    return [{ ...whole, action, lines: action === 'deleted' ? removed(whole.lines) : whole.lines }]
  })
}

const removed = (lines: readonly DiffLine[]): DiffLine[] =>
  lines.map(({ text, after }) => ({ kind: 'removed', text, before: after, after: null }))
