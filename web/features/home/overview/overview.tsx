import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Welcome } from '#access/contract'
import { clientAddress } from '../../../api/client-address.ts'
import type { CurrentGroup } from '../../../api/session.ts'
import { sumsQuery } from '../../../api/usage-queries.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { Headline, inSpan, periodOf } from '../../usage/index.ts'
import { NextSteps } from '../next-steps.tsx'
import { PartCards } from './part-cards.tsx'
import { ProviderHealth } from './provider-health.tsx'
import { RecentFailures } from './recent-failures.tsx'
import { RequestBars } from './request-bars.tsx'

const pollEvery = 30_000

interface OverviewProps {
  group: CurrentGroup
  welcome: Welcome
}

/** How the group is doing, and the way to everything else. */
export function Overview({ group, welcome }: OverviewProps) {
  const period = useMemo(() => periodOf({ range: 'week' }, Date.now()), [])
  const sums = useQuery({ ...sumsQuery(group.id, inSpan({}, period)), refetchInterval: pollEvery })
  const before = useQuery(sumsQuery(group.id, inSpan({}, period.before)))
  const address = clientAddress(welcome.base_url)
  return (
    <Page
      title="Overview"
      description={`The last 7 days of the group ${group.name}, compared with the 7 days before.`}
      actions={
        <span className="flex h-9 max-w-full items-center gap-1 rounded-lg border border-line bg-surface pr-0.5 pl-3 shadow-low">
          <code className="min-w-0 truncate font-mono text-xs select-all">{address}</code>
          <CopyButton text={address} what="base URL" />
        </span>
      }
      wide
    >
      <div className="space-y-5">
        {sums.error && <FailureNotice error={sums.error} onRetry={() => sums.refetch()} />}
        <Headline sums={sums.data} before={before.data} span={period} />
        <RequestBars groupId={group.id} period={period} />
        <div className="grid items-start gap-5 lg:grid-cols-2">
          <ProviderHealth groupId={group.id} period={period} />
          <RecentFailures groupId={group.id} />
        </div>
        <section aria-label="Other parts">
          <div className="mb-3 flex items-baseline justify-between gap-3">
            <h2 className="text-base font-semibold">Across Signalbox</h2>
            <Link to="/search" className="text-sm text-accent hover:underline">
              Search everything
            </Link>
          </div>
          <PartCards groupId={group.id} />
        </section>
      </div>
      <NextSteps groupId={group.id} isUsed />
    </Page>
  )
}
