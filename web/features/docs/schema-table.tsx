import type { SchemaRow } from './schema.ts'

export function SchemaTable({ title, rows }: { title: string; rows: SchemaRow[] }) {
  if (rows.length === 0) return null
  return (
    <div>
      <h3 className="mb-2 text-xs font-medium text-ink-faint">{title}</h3>
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
        {rows.map((row, index) => (
          <li key={index} className="px-3 py-2" style={{ paddingLeft: `${0.75 + row.depth}rem` }}>
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-mono text-xs font-semibold">{row.name}</span>
              <span className="font-mono text-xs break-words text-ink-faint">{row.type}</span>
              {row.required && <span className="text-xs text-accent">required</span>}
            </p>
            {row.description !== '' && <p className="mt-0.5 text-xs text-ink-soft">{row.description}</p>}
          </li>
        ))}
      </ul>
    </div>
  )
}
