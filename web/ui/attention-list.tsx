import type { MouseEvent } from 'react'
import { useRouter } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Info, OctagonAlert, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { AttentionItem } from '#attention/contract'
import { buttonClass } from './button.tsx'
import { MomentText } from './moment-text.tsx'
import { severityNames } from './notification-words.ts'

type Severity = AttentionItem['severity']

const looks: Record<Severity, { icon: LucideIcon; colour: string }> = {
  critical: { icon: OctagonAlert, colour: 'text-danger' },
  error: { icon: OctagonAlert, colour: 'text-danger' },
  warning: { icon: TriangleAlert, colour: 'text-accent' },
  info: { icon: Info, colour: 'text-info' },
}

/** What the button says: what to do about it, for one thing and for several. */
const actions: Partial<Record<string, readonly [string, string]>> = {
  service_down: ['Open service', 'Open services'],
  approval_waiting: ['Decide', 'Review approvals'],
  run_waiting: ['Answer', 'Open runs'],
  budget: ['Open limit', 'Open limits'],
  provider_key: ['Replace key', 'Replace keys'],
  unpriced_model: ['Set price', 'Set prices'],
  ticket_stale: ['Open ticket', 'Open tickets'],
  channel_failing: ['Open deliveries', 'Open channels'],
  alert_firing: ['Look into it', 'Open alerts'],
}

export const actionOf = ({ kind, count }: AttentionItem): string =>
  actions[kind]?.[count === 1 ? 0 : 1] ?? 'Open'

/** What needs attention, a line for each kind. */
export function AttentionList({
  items,
  isDense,
  onOpen,
}: {
  items: readonly AttentionItem[]
  isDense?: boolean
  onOpen?: () => void
}) {
  return (
    <ul className="divide-y divide-line">
      {items.map((item) => (
        <Line key={item.kind} item={item} isDense={isDense === true} onOpen={onOpen} />
      ))}
    </ul>
  )
}

interface LineProps {
  item: AttentionItem
  isDense: boolean
  onOpen: (() => void) | undefined
}

function Line({ item, isDense, onOpen }: LineProps) {
  const router = useRouter()
  const { icon: Icon, colour } = looks[item.severity]
  const open = (event: MouseEvent) => {
    onOpen?.()
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    router.history.push(item.url)
  }
  return (
    <li className={clsx('flex items-center gap-3', isDense ? 'px-4 py-2.5' : 'px-4 py-3 sm:px-5')}>
      <Icon
        aria-hidden
        className={clsx('size-4.5 shrink-0 self-start', isDense ? 'mt-0.5' : 'mt-1', colour)}
      />
      <div className="min-w-0 flex-1">
        <p className="text-sm font-medium [overflow-wrap:anywhere]">
          <span className="sr-only">{severityNames[item.severity]}: </span>
          {item.title}
        </p>
        <p className="line-clamp-2 text-xs [overflow-wrap:anywhere] text-ink-soft">
          {item.detail}
          {item.since !== null && (
            <>
              {item.detail !== '' && ' · '}
              <MomentText time={item.since} />
            </>
          )}
        </p>
      </div>
      <a
        href={router.history.createHref(item.url)}
        onClick={open}
        aria-label={`${actionOf(item)}: ${item.title}`}
        className={clsx(buttonClass('plain', 'small'), 'shrink-0')}
      >
        {actionOf(item)}
      </a>
    </li>
  )
}
