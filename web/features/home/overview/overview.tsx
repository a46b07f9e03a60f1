import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Welcome } from '#access/contract'
import { clientAddress } from '../../../api/client-address.ts'
import type { CurrentGroup } from '../../../api/session.ts'
import { sumsQuery } from '../../../api/usage-queries.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { inSpan, periodOf } from '../../usage/index.ts'
import { NextSteps } from '../next-steps.tsx'
import { AttentionStrip } from './attention-strip.tsx'
import { OverviewFigures } from './figures.tsx'
import { ProviderHealth } from './provider-health.tsx'
import { RecentFailures } from './recent-failures.tsx'
import { RequestBars } from './request-bars.tsx'
import { Timeline } from './timeline.tsx'

const pollEvery = 30_000

interface OverviewProps {
  group: CurrentGroup
  welcome: Welcome
}

/** What needs the reader, then how the gateway is doing, then what happened. What is empty is not shown. */
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
        <span className="flex h-9 max-w-full items-center gap-1 rounded-lg border border-line bg-surface pr-0.5 pl-3 shadow-low max-sm:hidden">
          <code className="min-w-0 truncate font-mono text-xs select-all">{address}</code>
          <CopyButton text={address} what="base URL" />
        </span>
      }
      wide
    >
      <div className="space-y-5">
        <AttentionStrip groupId={group.id} />
        {sums.error && <FailureNotice error={sums.error} onRetry={() => sums.refetch()} />}
        <OverviewFigures
          groupId={group.id}
          sums={sums.data}
          before={before.data}
          filter={inSpan({}, period)}
        />
        <RequestBars groupId={group.id} period={period} />
        <div className="grid items-start gap-5 lg:grid-cols-2">
          <Timeline groupId={group.id} />
          <div className="space-y-5">
            <ProviderHealth groupId={group.id} period={period} />
            {sums.data !== undefined && sums.data.errors > 0 && <RecentFailures groupId={group.id} />}
          </div>
        </div>
      </div>
      <NextSteps groupId={group.id} isUsed />
    </Page>
  )
}
