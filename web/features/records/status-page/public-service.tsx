import type { PublicStatus } from '#records/contract'
import { dayText } from '../../../ui/days.ts'
import { HeartbeatBars, type Beat } from '../../../ui/heartbeat-bars.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { counted, uptimeText } from '../../../ui/quantity.ts'
import { useNarrow } from '../../../ui/use-narrow.ts'

type PublicService = PublicStatus['services'][number]

const states = {
  up: { dot: 'ok', word: 'Up' },
  down: { dot: 'error', word: 'Down' },
  maintenance: { dot: 'planned', word: 'Maintenance' },
  unknown: { dot: 'off', word: 'No data' },
} as const

/** On a phone the bars of 90 days would be too thin to see: it shows the last 45. */
const shownOnPhone = 45

export function PublicServiceCard({ service }: { service: PublicService }) {
  const isNarrow = useNarrow()
  const days = isNarrow ? service.days.slice(-shownOnPhone) : service.days
  const { dot, word } = states[service.state]
  return (
    <li className="px-4 py-4 sm:px-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="min-w-0 font-medium [overflow-wrap:anywhere]">{service.title}</h3>
        <StatusDot status={dot}>{word}</StatusDot>
      </div>
      {service.description !== '' && <p className="text-sm text-ink-soft">{service.description}</p>}
      <HeartbeatBars
        label={`${service.title}, last ${days.length} days`}
        beats={days.map(beatOf)}
        className="mt-3 h-8"
      />
      <p className="mt-1.5 flex justify-between text-xs text-ink-faint">
        <span>{days.length} days ago</span>
        <span>
          {service.uptime === null
            ? 'no data'
            : `${uptimeText(service.uptime * 100)} uptime in ${checkedText(service.checked_seconds)}`}
        </span>
        <span>Today</span>
      </p>
    </li>
  )
}

/** How long it was checked: a few minutes are not 90 days. */
export function checkedText(seconds: number): string {
  if (seconds >= 86_400) return counted(Math.round(seconds / 86_400), 'checked day')
  return seconds >= 3_600
    ? counted(Math.round(seconds / 3_600), 'checked hour')
    : counted(Math.max(1, Math.round(seconds / 60)), 'checked minute')
}

/** Below this share of passed checks a day counts as down. */
const downBelow = 0.5

function beatOf({ date, uptime, incidents }: PublicService['days'][number]): Beat {
  const day = dayText(date)
  const more = incidents === 0 ? '' : `, ${counted(incidents, 'incident')}`
  if (uptime === null)
    return { state: incidents === 0 ? 'none' : 'degraded', text: `${day}: not checked${more}` }
  return {
    state: uptime === 1 && incidents === 0 ? 'up' : uptime < downBelow ? 'down' : 'degraded',
    text: `${day}: ${uptimeText(uptime * 100)} uptime${more}`,
  }
}
