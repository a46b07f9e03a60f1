import { clsx } from 'clsx'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { countText, counted } from '../../../ui/quantity.ts'
import type { FileEdit } from '../edits/file-edits.ts'
import { countsOf, hunksOf, type Hunk } from '../edits/hunks.ts'
import type { DiffLine } from '../edits/line-diff.ts'
import { useFold } from '../../../ui/fold-state.ts'

const shownAtFirst = 24
const maxLines = 2_000

const words = { changed: '', created: 'new file', deleted: 'deleted' }

/** What an edit did to one file. */
export function DiffView({ id, edit }: { id: string; edit: FileEdit }) {
  const { path, action, movedTo, lines } = edit
  const [isWhole, toggle] = useFold(`diff ${id}`, false)
  const hunks = hunksOf(lines)
  const total = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0)
  const isLong = total > shownAtFirst + 4
  const limit = isWhole ? maxLines : shownAtFirst
  return (
    <figure className="overflow-hidden rounded-lg border border-line bg-surface text-xs">
      <figcaption className="flex items-center gap-2 border-b border-line bg-sunken py-0.5 pr-1 pl-3">
        <span className="min-w-0 flex-1 truncate font-mono" title={path}>
          {path}
          {movedTo !== undefined && ` → ${movedTo}`}
        </span>
        {words[action] !== '' && <span className="text-ink-faint">{words[action]}</span>}
        <DiffCounts lines={lines} />
        <CopyButton text={path} what="path" className="size-7" />
      </figcaption>
      {total > 0 && (
        <div
          tabIndex={0}
          aria-label={`Changes of ${path}`}
          className="overflow-x-auto py-1 -outline-offset-2"
        >
          <div className="w-max min-w-full font-mono leading-5">
            {isLong ? <Hunks hunks={firstLines(hunks, limit)} /> : <Hunks hunks={hunks} />}
          </div>
        </div>
      )}
      {isWhole && total > maxLines && (
        <p className="border-t border-line px-3 py-1.5 text-ink-faint">
          The first {countText(maxLines)} of {countText(total)} lines.
        </p>
      )}
      {isLong && (
        <Button
          look="quiet"
          size="small"
          className="w-full rounded-none! border-t! border-t-line!"
          onClick={toggle}
        >
          {isWhole ? 'Show less' : `Show all ${countText(total)} lines`}
        </Button>
      )}
    </figure>
  )
}

/** `+3 −1` */
export function DiffCounts({ lines }: { lines: readonly DiffLine[] }) {
  const { added, removed } = countsOf(lines)
  return (
    <span
      className="shrink-0 font-mono tabular-nums"
      title={`${counted(added, 'line')} added, ${removed} removed`}
    >
      {added > 0 && <span className="text-success">+{countText(added)}</span>}
      {added > 0 && removed > 0 && ' '}
      {removed > 0 && <span className="text-danger">−{countText(removed)}</span>}
    </span>
  )
}

function firstLines(hunks: readonly Hunk[], count: number): Hunk[] {
  const first: Hunk[] = []
  let left = count
  for (const hunk of hunks) {
    if (left <= 0) break
    first.push({ ...hunk, lines: hunk.lines.slice(0, left) })
    left -= hunk.lines.length
  }
  return first
}

const Hunks = ({ hunks }: { hunks: readonly Hunk[] }) =>
  hunks.map((hunk, index) => (
    <div key={index}>
      {hunk.skipped > 0 && (
        <p className="px-3 text-ink-faint select-none">⋯ {counted(hunk.skipped, 'unchanged line')}</p>
      )}
      {hunk.lines.map((line, place) => (
        <Line key={place} line={line} />
      ))}
    </div>
  ))

const signs = { same: ' ', added: '+', removed: '−' }

function Line({ line: { kind, text, before, after } }: { line: DiffLine }) {
  return (
    <div
      className={clsx(
        'flex pr-3 whitespace-pre',
        kind === 'added' && 'bg-success-soft',
        kind === 'removed' && 'bg-danger-soft',
      )}
    >
      {(before ?? after) !== null && (
        <span aria-hidden className="w-11 shrink-0 pr-2 text-right text-ink-faint select-none">
          {after ?? before}
        </span>
      )}
      <span
        className={clsx(
          'w-6 shrink-0 text-center select-none',
          kind === 'added' && 'text-success',
          kind === 'removed' && 'text-danger',
        )}
      >
        {signs[kind]}
      </span>
      <span>{text === '' ? ' ' : text}</span>
    </div>
  )
}
