import type { DiffLine } from './line-diff.ts'
import { linesOf } from './line-diff.ts'

/** One file of a patch. */
export interface PatchedFile {
  path: string
  action: 'changed' | 'created' | 'deleted'
  /** Where it was moved to. */
  movedTo?: string
  lines: DiffLine[]
}

const actions = { Update: 'changed', Add: 'created', Delete: 'deleted' } as const

/** The files of a patch between `*** Begin Patch` and `*** End Patch`. */
export function readPatch(text: string): PatchedFile[] {
  const files: PatchedFile[] = []
  for (const line of linesOf(text)) {
    const header = /^\*\*\* (Update|Add|Delete) File: (.+)$/.exec(line)
    const current = files.at(-1)
    if (header?.[1] !== undefined)
      files.push({
        path: header[2] ?? '',
        action: actions[header[1] as keyof typeof actions],
        lines: [],
      })
    else if (line.startsWith('*** Move to: ') && current) current.movedTo = line.slice(13)
    else if (line.startsWith('*** ')) continue
    else if (current) current.lines.push(...patchLine(line))
  }
  return files
}

/** The lines of a unified diff of one file, with its line numbers. */
export function readUnifiedDiff(text: string): DiffLine[] {
  const lines: DiffLine[] = []
  let [before, after] = [0, 0]
  let isInHunk = false
  for (const line of linesOf(text)) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line)
    if (header) {
      isInHunk = true
      before = Number(header[1]) - 1
      after = Number(header[2]) - 1
    } else if (isInHunk)
      for (const { kind, text: content } of patchLine(line)) {
        if (kind !== 'added') before++
        if (kind !== 'removed') after++
        lines.push({
          kind,
          text: content,
          before: kind === 'added' ? null : before,
          after: kind === 'removed' ? null : after,
        })
      }
  }
  return lines
}

const kinds: Partial<Record<string, DiffLine['kind']>> = { '+': 'added', '-': 'removed', ' ': 'same' }

/** Lines such as `@@` and `\ No newline at end of file` are none of the file. */
function patchLine(line: string): DiffLine[] {
  const kind = line === '' ? 'same' : kinds[line.slice(0, 1)]
  return kind === undefined ? [] : [{ kind, text: line.slice(1), before: null, after: null }]
}

/** Blocks between `SEARCH` and `REPLACE` markers: pairs of a text and what replaces it. */
export function readSearchBlocks(text: string): { before: string; after: string }[] {
  const pattern = /^[<-]{3,} ?SEARCH>?\n([^]*?)^={3,}\n([^]*?)^[>+]{3,} ?REPLACE>?$/gm
  return [...text.matchAll(pattern)].map(([, before = '', after = '']) => ({ before, after }))
}
