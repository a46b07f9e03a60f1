import { clsx } from 'clsx'
import { CircleCheck, CircleHelp, OctagonAlert, Wrench } from 'lucide-react'
import type { PublicStatus } from '#records/contract'

const looks = {
  up: { look: 'bg-success-soft text-success', icon: CircleCheck },
  down: { look: 'bg-danger-soft text-danger', icon: OctagonAlert },
  maintenance: { look: 'bg-info-soft text-info', icon: Wrench },
  unknown: { look: 'bg-sunken text-ink-soft', icon: CircleHelp },
}

/** The state in words. Without data it is not good. */
function wordsFor({ state, services }: PublicStatus): string {
  const down = services.filter((service) => service.state === 'down').length
  if (services.length === 0) return 'No services are shown yet'
  if (state === 'down') return down === services.length ? 'All services are down' : 'Some services are down'
  if (state === 'maintenance') return 'Maintenance is in progress'
  if (state === 'up') return 'All services are up'
  return services.some((service) => service.state === 'up')
    ? 'The state of some services is not known'
    : 'The state of the services is not known'
}

export function Banner({ status }: { status: PublicStatus }) {
  const { look, icon: Icon } = looks[status.services.length === 0 ? 'unknown' : status.state]
  return (
    <p
      role="status"
      className={clsx('mt-6 flex items-center gap-3 rounded-xl px-5 py-4 text-lg font-semibold', look)}
    >
      <Icon aria-hidden className="size-5 shrink-0" />
      {wordsFor(status)}
    </p>
  )
}
