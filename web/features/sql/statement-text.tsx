import { clsx } from 'clsx'
import { CopyButton } from '../../ui/copy-button.tsx'

const words = new RegExp(
  String.raw`(--[^\n]*|/\*[\s\S]*?\*/)|('(?:[^']|'')*')|\b(${[
    'select|from|where|insert|into|values|update|set|delete|create|table|index|drop|alter|add|column|and|or|not|null',
    'join|left|right|inner|outer|on|group|order|by|having|limit|offset|as|with|returning|distinct|union|all|exists|in|is',
    'case|when|then|else|end|begin|function|view|truncate|explain|analyze|primary|key|references|cascade|if|using|merge',
  ].join('|')})\b`,
  'gi',
)

/** SQL with simple colours, for reading. Not a parser. */
export function StatementText({ sql, className }: { sql: string; className?: string }) {
  return (
    <div className={clsx('relative rounded-lg border border-line bg-sunken', className)}>
      <div className="absolute top-1 right-1">
        <CopyButton text={sql} what="the statement" />
      </div>
      <pre
        tabIndex={0}
        aria-label="Statement"
        className="max-h-96 overflow-auto px-4 py-3 pr-12 font-mono text-xs leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {coloured(sql)}
      </pre>
    </div>
  )
}

function coloured(sql: string) {
  // Colouring a text of a megabyte would hold up the page.
  if (sql.length > 50_000) return sql
  const pieces = []
  let end = 0
  for (const match of sql.matchAll(words)) {
    if (match.index > end) pieces.push(sql.slice(end, match.index))
    const look = match[1]
      ? 'text-ink-faint'
      : match[2]
        ? 'text-[var(--syntax-text)]'
        : 'text-[var(--syntax-word)]'
    pieces.push(
      <span key={match.index} className={look}>
        {match[0]}
      </span>,
    )
    end = match.index + match[0].length
  }
  return [...pieces, sql.slice(end)]
}
