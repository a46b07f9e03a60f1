import { memo, type MouseEvent } from 'react'
import { clsx } from 'clsx'
import type { ConsoleEvent } from '#console/contract'
import { Badge } from '../../ui/badge.tsx'
import type { Field } from './console-filter.ts'
import { oneLine, severityEdges, severityTones, typeName } from './event-words.ts'
import { MarkedText } from './marked-text.tsx'
import { markedWords } from './pieces.ts'
import { isToday, millisecondText, shortDayText } from '../../ui/moment.ts'

export const rowHeights = { row: 32, card: 60 }

/** The same columns for the header and every row. */
export const rowGrid =
  'grid grid-cols-[7rem_4.75rem_6.75rem_8rem_minmax(0,1fr)] items-center gap-x-3 pr-4 pl-4'

export interface EventRowProps {
  event: ConsoleEvent
  words: readonly string[]
  isOpen: boolean
  isFresh: boolean
  onOpen: (id: string) => void
  onFilter: (field: Field, value: string, isExcluded: boolean) => void
}

const look = ({ event, isOpen, isFresh }: EventRowProps): string =>
  clsx(
    'relative h-full border-b border-line text-sm before:absolute before:inset-y-0 before:left-0 before:w-0.5',
    severityEdges[event.severity],
    isOpen ? 'bg-accent-soft' : 'hover:bg-hover/60',
    isFresh && 'animate-arrive',
  )

/** The time is the link that opens the record; its click area covers the whole row. */
function OpenLink({ event, onOpen, className }: EventRowProps & { className?: string }) {
  const clock = millisecondText(event.created_at)
  const open = (click: MouseEvent) => {
    if (click.metaKey || click.ctrlKey || click.shiftKey) return
    click.preventDefault()
    onOpen(event.id)
  }
  return (
    <a
      href={`/console?event=${event.id}&around=${event.id}`}
      data-row={event.id}
      onClick={open}
      className={clsx(
        'font-mono text-xs whitespace-nowrap text-ink-soft after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus',
        className,
      )}
    >
      {isToday(event.created_at) ? clock : `${shortDayText(event.created_at)} ${clock.slice(0, 8)}`}
    </a>
  )
}

interface ValueButtonProps {
  field: Field
  value: string
  label: string
  onFilter: EventRowProps['onFilter']
  className?: string
}

/** A click shows only this value, with Shift or Alt it hides it. */
function ValueButton({ field, value, label, onFilter, className }: ValueButtonProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      title={`Show only ${label}. Shift+click hides it.`}
      onClick={(click) => onFilter(field, value, click.shiftKey || click.altKey)}
      className={clsx(
        'relative z-1 max-w-full min-w-0 truncate text-left hover:text-ink hover:underline',
        className,
      )}
    >
      {label}
    </button>
  )
}

/** One line of the list on a wide screen. */
export const EventRow = memo(function EventRow(props: EventRowProps) {
  const { event, onFilter } = props
  const words = markedWords(event, props.words)
  return (
    <div role="row" className={clsx(rowGrid, look(props))}>
      <div role="cell">
        <OpenLink {...props} />
      </div>
      <div role="cell">
        <Badge tone={severityTones[event.severity]}>{event.severity}</Badge>
      </div>
      <div role="cell" className="flex min-w-0 text-ink-faint">
        <ValueButton field="type" value={event.type} label={typeName(event.type)} onFilter={onFilter} />
      </div>
      <div role="cell" className="flex min-w-0 text-ink-soft">
        <Origin event={event} onFilter={onFilter} />
      </div>
      <div role="cell" className="truncate">
        <span className="font-medium">
          <MarkedText text={event.title} words={words} />
        </span>
        <span className="pl-2 text-ink-faint">
          <MarkedText text={oneLine(event)} words={words} />
        </span>
      </div>
    </div>
  )
})

/** The service, or the source of an event without one. */
function Origin({ event, onFilter }: Pick<EventRowProps, 'event' | 'onFilter'>) {
  if (event.service === null)
    return (
      <ValueButton
        field="source"
        value={event.source}
        label={event.source}
        onFilter={onFilter}
        className="text-ink-faint italic"
      />
    )
  return <ValueButton field="service" value={event.service} label={event.service} onFilter={onFilter} />
}

/** Two lines on a narrow screen. */
export const EventCard = memo(function EventCard(props: EventRowProps) {
  const { event } = props
  const words = markedWords(event, props.words)
  return (
    <div role="row" className={clsx('flex flex-col justify-center gap-0.5 px-4', look(props))}>
      <div role="cell" className="truncate">
        <span className="font-medium">
          <MarkedText text={event.title} words={words} />
        </span>
        <span className="pl-2 text-ink-faint">
          <MarkedText text={oneLine(event)} words={words} />
        </span>
      </div>
      <div role="cell" className="flex items-center gap-2 text-xs text-ink-faint">
        <OpenLink {...props} />
        <Badge tone={severityTones[event.severity]}>{event.severity}</Badge>
        <span className="truncate">
          {event.service ?? event.source} · {typeName(event.type)}
        </span>
      </div>
    </div>
  )
})
