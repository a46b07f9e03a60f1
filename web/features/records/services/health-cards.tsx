import { useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Service } from '#records/contract'
import type { CurrentGroup } from '../../../api/session.ts'
import { ChartCard } from '../../../ui/chart-card.tsx'
import { Figure, Figures } from '../../../ui/figure.tsx'
import { HeartbeatBars, HeartbeatLegend } from '../../../ui/heartbeat-bars.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { Card } from '../../../ui/page.tsx'
import { countText, durationText, uptimeText } from '../../../ui/quantity.ts'
import { Segmented } from '../../../ui/segmented.tsx'
import { recordQuery } from '../record-queries.ts'
import { beatsOfRollups, stepLengths, uptimeOf } from './beats.ts'
import { latencySeries } from './latency-series.ts'

const ranges = {
  '24h': { label: '24 hours', resolution: 'hour', count: 24 },
  '7d': { label: '7 days', resolution: 'hour', count: 168 },
  '30d': { label: '30 days', resolution: 'day', count: 30 },
  '90d': { label: '90 days', resolution: 'day', count: 90 },
} as const

type Range = keyof typeof ranges

/** Uptime, heartbeat and latency of one service. */
export function HealthCards({ group, service }: { group: CurrentGroup; service: Service }) {
  const [range, setRange] = useState<Range>('24h')
  const { resolution, count, label } = ranges[range]
  const since = useMemo(() => {
    const length = stepLengths[resolution]
    return new Date((Math.floor(Date.now() / length) - count + 1) * length).toISOString()
  }, [resolution, count])
  const history = useQuery({
    ...recordQuery(group.id, '/api/services/{id}/history', {
      path: { id: service.id },
      query: { resolution, since, limit: 500 },
    }),
    refetchInterval: 30_000,
  })
  const rollups = useMemo(() => history.data?.data ?? [], [history.data])
  const beats = beatsOfRollups(rollups, resolution, count, Date.now())
  const latency = useMemo(
    () => latencySeries(rollups, resolution, count, Date.now()),
    [rollups, resolution, count],
  )
  const uptime = uptimeOf(rollups)
  const checks = rollups.reduce((sum, { ok_count, failed_count }) => sum + ok_count + failed_count, 0)
  if (history.error) return <FailureNotice error={history.error} onRetry={() => history.refetch()} />
  return (
    <div className="space-y-4">
      <Segmented
        label="Period"
        value={range}
        onChange={setRange}
        choices={(Object.keys(ranges) as Range[]).map((id) => ({ id, label: ranges[id].label }))}
      />
      <Figures label="Health figures">
        <Figure
          name="Uptime"
          value={history.data && (uptime === null ? 'no data' : uptimeText(uptime))}
          note={`last ${label}`}
        />
        <Figure
          name="Last latency"
          value={service.last_latency_ms === null ? 'no data' : durationText(service.last_latency_ms)}
          note={service.last_status_code === null ? '' : `status ${service.last_status_code}`}
        />
        <Figure
          name="Checks"
          value={history.data && countText(checks)}
          note={`every ${service.interval_s} s`}
        />
      </Figures>
      <Card title="Checks" description={`One bar per ${resolution}. Grey: nothing was checked.`}>
        <HeartbeatBars label={`${service.title}, last ${label}`} beats={beats} className="mb-3 h-9" />
        <HeartbeatLegend />
      </Card>
      <ChartCard
        title="Latency"
        description={`Average and slowest response per ${resolution}`}
        label={`Latency per ${resolution}; the table shows the numbers`}
        stepName={resolution === 'hour' ? 'Hour' : 'Day'}
        isPending={history.isPending}
        form="lines"
        height={180}
        steps={latency.steps}
        series={latency.series}
        formatAxis={durationText}
      />
    </div>
  )
}
