import { useState } from 'react'
import { clsx } from 'clsx'
import { ChevronRight, Eye, KeyRound, Link2, Table2 } from 'lucide-react'
import type { SchemaRelation } from '#sql/contract'
import { bytesText, countText, shortCount } from '../../../../ui/quantity.ts'
import { quoted, relationName } from '../editor/quote-name.ts'

interface RelationRowProps {
  relation: SchemaRelation
  isOpenAtFirst: boolean
  onInsert: (name: string) => void
}

const kindNames: Record<SchemaRelation['kind'], string> = {
  table: 'Table',
  view: 'View',
  materialized_view: 'Materialized view',
  foreign_table: 'Foreign table',
}

/** A table or view; opened, its columns, keys and indexes. */
export function RelationRow({ relation, isOpenAtFirst, onInsert }: RelationRowProps) {
  const [chosen, setOpen] = useState<boolean>()
  const isOpen = chosen ?? isOpenAtFirst
  const { name, kind } = relation
  const Icon = kind === 'view' || kind === 'materialized_view' ? Eye : Table2
  return (
    <li>
      <div className="group flex items-center rounded-md hover:bg-hover">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`Columns of ${name}`}
          onClick={() => setOpen(!isOpen)}
          className="grid size-7 shrink-0 place-items-center rounded-md text-ink-faint hover:text-ink"
        >
          <ChevronRight
            aria-hidden
            className={clsx('size-3.5 transition-transform', isOpen && 'rotate-90')}
          />
        </button>
        <button
          type="button"
          title={`Insert ${name}`}
          onClick={() => onInsert(relationName(relation))}
          className="flex min-w-0 flex-1 items-center gap-1.5 rounded-md py-1 pr-1 text-left"
        >
          <span className="sr-only">Insert </span>
          <span className="truncate">{name}</span>
          <Icon aria-label={kindNames[kind]} className="order-first size-3.5 shrink-0 text-ink-faint" />
          <span className="ml-auto pl-2 text-xs whitespace-nowrap text-ink-faint" title={sizeTitle(relation)}>
            {sizeText(relation)}
          </span>
        </button>
      </div>
      {isOpen && <Parts relation={relation} onInsert={onInsert} />}
    </li>
  )
}

function Parts({ relation, onInsert }: Omit<RelationRowProps, 'isOpenAtFirst'>) {
  const { columns, keys, indexes } = relation
  return (
    <ul className="mb-1.5 ml-3.5 border-l border-line pl-3 text-xs">
      {columns.map(({ name, type, is_nullable }) => {
        const own = keys.filter((key) => key.columns.includes(name))
        return (
          <li key={name}>
            <button
              type="button"
              title={`Insert ${name}${is_nullable ? '' : ' (not null)'}`}
              onClick={() => onInsert(quoted(name))}
              className="flex w-full items-center gap-1.5 rounded px-1 py-0.5 text-left hover:bg-hover"
            >
              <span className="sr-only">Insert </span>
              <span className="truncate font-mono">{name}</span>
              {own.map((key) => (
                <KeySign key={key.name} kept={key} />
              ))}
              <span className="ml-auto truncate pl-2 text-ink-faint">
                {type}
                {is_nullable && '?'}
              </span>
            </button>
          </li>
        )
      })}
      {indexes.length > 0 && (
        <li className="px-1 pt-1.5">
          <p className="text-ink-faint">Indexes</p>
          <ul>
            {indexes.map(({ name, definition, is_unique }) => (
              <li key={name} title={name} className="py-0.5 font-mono [overflow-wrap:anywhere]">
                {is_unique && 'unique '}
                {definition}
              </li>
            ))}
          </ul>
        </li>
      )}
    </ul>
  )
}

function KeySign({ kept }: { kept: SchemaRelation['keys'][number] }) {
  if (kept.references !== null) {
    const to = `${kept.references.name} (${kept.references.columns.join(', ')})`
    return (
      <span title={`References ${to}`} className="shrink-0">
        <Link2 aria-label={`References ${to}`} className="size-3 text-info" />
      </span>
    )
  }
  const label = kept.kind === 'primary' ? 'Primary key' : 'Unique'
  return (
    <span title={label} className="shrink-0">
      <KeyRound
        aria-label={label}
        className={clsx('size-3', kept.kind === 'primary' ? 'text-accent' : 'text-ink-faint')}
      />
    </span>
  )
}

const sizeText = ({ rows_estimate: rows, bytes }: SchemaRelation): string =>
  [rows === null ? null : `~${shortCount(rows)}`, bytes === null ? null : bytesText(bytes)]
    .filter((each) => each !== null)
    .join(' · ')

const sizeTitle = ({ rows_estimate: rows }: SchemaRelation): string =>
  rows === null ? 'Not counted yet' : `About ${countText(rows)} rows, as PostgreSQL counted them last`
