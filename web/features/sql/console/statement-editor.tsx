import type { KeyboardEvent } from 'react'
import { Textarea } from '../../../ui/input.tsx'

interface StatementEditorProps {
  value: string
  onChange: (value: string) => void
  onRun: () => void
  /** The place that the policy speaks of, as a character index. */
  mark: number | null
}

/** A plain field in a fixed-width font. Ctrl+Enter runs. */
export function StatementEditor({ value, onChange, onRun, mark }: StatementEditorProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onRun()
  }
  return (
    <div>
      <Textarea
        aria-label="Statement"
        placeholder="SELECT * FROM tickets LIMIT 10"
        spellCheck={false}
        autoCapitalize="off"
        className="max-h-96 min-h-40 font-mono leading-relaxed"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {mark !== null && mark < value.length && <MarkedPlace sql={value} position={mark} />}
    </div>
  )
}

/** The line of the text that the policy speaks of, with the word marked. */
function MarkedPlace({ sql, position }: { sql: string; position: number }) {
  const start = sql.lastIndexOf('\n', position - 1) + 1
  const lineEnd = sql.indexOf('\n', position)
  const line = sql.slice(start, lineEnd === -1 ? undefined : lineEnd)
  const at = position - start
  const word = /^[\w.]+|^./.exec(line.slice(at))?.[0] ?? ''
  const number = sql.slice(0, position).split('\n').length
  return (
    <p className="mt-1.5 overflow-x-auto font-mono text-xs whitespace-pre text-ink-faint">
      {`Line ${number}: `}
      {line.slice(Math.max(0, at - 60), at)}
      <mark className="rounded bg-accent-soft px-0.5 text-accent">{word}</mark>
      {line.slice(at + word.length, at + word.length + 60)}
    </p>
  )
}
