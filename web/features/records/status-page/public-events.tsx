import type { PublicStatus } from '#records/contract'
import { exactTime } from '../../../ui/moment.ts'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { spanText } from '../duration.ts'

interface SectionProps {
  /** The title of the service of this name. */
  titleOf: (name: string) => string
}

export function MaintenanceSection({
  windows,
  titleOf,
}: SectionProps & { windows: PublicStatus['maintenance'] }) {
  if (windows.length === 0) return null
  return (
    <section aria-label="Maintenance" className="mt-8">
      <h2 className="mb-3 text-base font-semibold">Maintenance</h2>
      <ul className="divide-y divide-line rounded-xl border border-line bg-surface text-sm shadow-low">
        {windows.map(({ service, starts_at, ends_at, note }) => (
          <li key={`${service} ${starts_at}`} className="px-4 py-3 sm:px-5">
            <p className="font-medium">{titleOf(service)}</p>
            <p className="text-ink-soft">
              {exactTime(starts_at)} – {exactTime(ends_at)}
            </p>
            {note !== '' && <p className="mt-0.5 whitespace-pre-wrap">{note}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}

export function IncidentsSection({
  incidents,
  titleOf,
}: SectionProps & { incidents: PublicStatus['incidents'] }) {
  return (
    <section aria-label="Incidents" className="mt-8">
      <h2 className="mb-3 text-base font-semibold">Incidents of the last 90 days</h2>
      {incidents.length === 0 ? (
        <p className="text-sm text-ink-soft">No incidents were recorded.</p>
      ) : (
        <ul className="divide-y divide-line rounded-xl border border-line bg-surface text-sm shadow-low">
          {incidents.map(({ service, opened_at, closed_at }) => (
            <li key={`${service} ${opened_at}`} className="px-4 py-3 sm:px-5">
              <StatusDot status={closed_at === null ? 'error' : 'off'}>
                <span className="font-medium">{titleOf(service)}</span>
                <span>{closed_at === null ? 'is down' : 'was down'}</span>
              </StatusDot>
              <p className="text-ink-soft">
                {exactTime(opened_at)}, {spanText(opened_at, closed_at)}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
