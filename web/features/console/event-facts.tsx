import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { CircleSlash, Funnel, Search } from 'lucide-react'
import type { ConsoleEvent } from '#console/contract'
import { IconButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { wholeTime } from '../../ui/moment.ts'
import type { Field } from './console-filter.ts'
import { typeName } from './event-words.ts'
import type { MetadataEntry } from './metadata-entries.ts'

type OnFilter = (field: Field, value: string, isExcluded: boolean) => void

interface FactProps {
  name: string
  copied: string
  actions?: ReactNode
  children: ReactNode
}

/** A name, its value, and what can be done with it. */
function Fact({ name, copied, actions, children }: FactProps) {
  return (
    <div className="group flex min-h-9 items-start gap-3 border-b border-line py-1 pr-1 pl-4 last:border-b-0">
      <dt className="w-28 shrink-0 py-1 text-ink-faint [overflow-wrap:anywhere]">{name}</dt>
      <dd className="min-w-0 flex-1 py-1 [overflow-wrap:anywhere] whitespace-pre-wrap">{children}</dd>
      <dd className="flex shrink-0">
        {actions}
        <CopyButton text={copied} what={name.toLowerCase()} className="size-7" />
      </dd>
    </div>
  )
}

function FieldFact({ field, value, label, onFilter }: FieldFactProps) {
  const names = { type: 'Type', service: 'Service', source: 'Source' }
  if (value === null)
    return (
      <div className="flex min-h-9 items-start gap-3 border-b border-line py-1 pl-4">
        <dt className="w-28 shrink-0 py-1 text-ink-faint">{names[field]}</dt>
        <dd className="py-1 text-ink-faint">none</dd>
      </div>
    )
  return (
    <Fact
      name={names[field]}
      copied={value}
      actions={
        <>
          <IconButton
            label={`Show only ${field} ${value} (i)`}
            icon={Funnel}
            className="size-7"
            onClick={() => onFilter(field, value, false)}
          />
          <IconButton
            label={`Hide ${field} ${value} (x)`}
            icon={CircleSlash}
            className="size-7"
            onClick={() => onFilter(field, value, true)}
          />
        </>
      }
    >
      <button
        type="button"
        title="Show only this value"
        onClick={() => onFilter(field, value, false)}
        className={valueLook}
      >
        {label ?? value}
      </button>
    </Fact>
  )
}

interface FieldFactProps {
  field: Field
  value: string | null
  label?: string
  onFilter: OnFilter
}

const valueLook =
  'text-left [overflow-wrap:anywhere] whitespace-pre-wrap underline decoration-line-strong underline-offset-2 hover:decoration-ink'
const frame = 'overflow-hidden rounded-xl border border-line text-sm'

export function EventFacts({ event, onFilter }: { event: ConsoleEvent; onFilter: OnFilter }) {
  return (
    <dl className={frame}>
      <FieldFact field="type" value={event.type} label={typeName(event.type)} onFilter={onFilter} />
      <FieldFact field="service" value={event.service} onFilter={onFilter} />
      <FieldFact field="source" value={event.source} onFilter={onFilter} />
      <Fact name="Time" copied={event.created_at}>
        <time dateTime={event.created_at} title={`${event.created_at} (UTC)`}>
          {wholeTime(event.created_at)}
        </time>
      </Fact>
      <Fact name="ID" copied={event.id}>
        <code className="font-mono text-xs">{event.id}</code>
      </Fact>
    </dl>
  )
}

export interface MetadataActions {
  /** Searches for a value in titles and messages. */
  onSearch: (text: string) => void
  onMetadata: (term: string, isHidden: boolean) => void
}

interface MetadataFactsProps extends MetadataActions {
  entries: readonly MetadataEntry[]
}

export function MetadataFacts({ entries, onSearch, onMetadata }: MetadataFactsProps) {
  return (
    <dl className={frame}>
      {entries.map((entry) => (
        <Fact
          key={entry.path}
          name={entry.path}
          copied={entry.text}
          actions={
            <>
              {entry.term !== undefined && (
                <TermButtons path={entry.path} term={entry.term} onMetadata={onMetadata} />
              )}
              <IconButton
                label={`Search for the value of ${entry.path}`}
                icon={Search}
                className="size-7"
                onClick={() => onSearch(entry.text.slice(0, 200))}
              />
            </>
          }
        >
          <MetadataValue entry={entry} onMetadata={onMetadata} />
        </Fact>
      ))}
    </dl>
  )
}

interface TermButtonsProps {
  path: string
  term: string
  onMetadata: MetadataActions['onMetadata']
}

function TermButtons({ path, term, onMetadata }: TermButtonsProps) {
  return (
    <>
      <IconButton
        label={`Show only this value of ${path}`}
        icon={Funnel}
        className="size-7"
        onClick={() => onMetadata(term, false)}
      />
      <IconButton
        label={`Hide this value of ${path}`}
        icon={CircleSlash}
        className="size-7"
        onClick={() => onMetadata(term, true)}
      />
    </>
  )
}

const linkLook = 'text-accent underline underline-offset-2'

interface MetadataValueProps {
  entry: MetadataEntry
  onMetadata: MetadataActions['onMetadata']
}

function MetadataValue({ entry: { kind, text, term }, onMetadata }: MetadataValueProps) {
  if (kind === 'request')
    return (
      <Link to="/logs" search={{ request: text }} title="Open in Logs" className={linkLook}>
        {text}
      </Link>
    )
  if (kind === 'link')
    return (
      <a href={text} target="_blank" rel="noreferrer noopener" className={linkLook}>
        {text}
      </a>
    )
  if (term === undefined) return text
  return (
    <button
      type="button"
      title="Show only this value"
      onClick={() => onMetadata(term, false)}
      className={valueLook}
    >
      {text}
    </button>
  )
}
