import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { CircleCheck, CircleHelp, OctagonAlert, Wrench } from 'lucide-react'
import type { PublicStatus } from '#records/contract'
import { ApiError, call } from '../../../api/client.ts'
import { FullPage } from '../../../shell/full-page.tsx'
import { HeartbeatLegend } from '../../../ui/heartbeat-bars.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { timeZone } from '../../../ui/moment.ts'
import { FailureNotice } from '../../../ui/notice.tsx'
import { PageSkeleton } from '../../../ui/skeleton.tsx'
import { PublicServiceCard } from './public-service.tsx'
import { IncidentsSection, MaintenanceSection } from './public-events.tsx'

const route = getRouteApi('/status/$slug')

/** For everyone: it needs no sign-in and knows nothing but what the group published. */
export function PublicStatusPage() {
  const { slug } = route.useParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['public-status', slug],
    queryFn: () => call('GET', '/api/status/{slug}', { path: { slug } }),
    refetchInterval: 30_000,
  })
  if (!data && error instanceof ApiError && error.status < 500 && error.status !== 0)
    return (
      <FullPage code="404" title="Status page not found">
        <p>Check the address. The page may not be public any more.</p>
      </FullPage>
    )
  return (
    <main className="mx-auto min-h-dvh w-full max-w-4xl px-4 py-10 sm:px-8">
      {error && !data && <FailureNotice error={error} onRetry={() => refetch()} />}
      {!data && !error && <PageSkeleton />}
      {data && <Status status={data} isOld={error !== null} />}
    </main>
  )
}

/** The bars have the days of the server; times are the reader's. */
const zones = timeZone() === 'UTC' ? 'Days and times are in UTC.' : `Days are in UTC, times in ${timeZone()}.`

function Status({ status, isOld }: { status: PublicStatus; isOld: boolean }) {
  const titleOf = (name: string) => status.services.find((service) => service.name === name)?.title ?? name
  return (
    <>
      <title>{status.title}</title>
      <h1 className="text-2xl font-semibold tracking-tight">{status.title}</h1>
      {status.description !== '' && <p className="mt-1 text-ink-soft">{status.description}</p>}
      <Banner status={status} />
      <MaintenanceSection windows={status.maintenance} titleOf={titleOf} />
      {status.services.length > 0 && (
        <section aria-label="Services" className="mt-8">
          <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
            <h2 className="text-base font-semibold">Services</h2>
            <HeartbeatLegend />
          </div>
          <ul className="divide-y divide-line rounded-xl border border-line bg-surface shadow-low">
            {status.services.map((service) => (
              <PublicServiceCard key={service.name} service={service} />
            ))}
          </ul>
        </section>
      )}
      <IncidentsSection incidents={status.incidents} titleOf={titleOf} />
      <p className="mt-10 text-xs text-ink-faint">
        {isOld ? 'Can’t reach the server. Last updated ' : 'Updated '}
        <MomentText time={status.generated_at} />. {zones}
      </p>
    </>
  )
}

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

function Banner({ status }: { status: PublicStatus }) {
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
