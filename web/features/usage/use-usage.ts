import { useMemo } from 'react'
import { useQueries, useQuery } from '@tanstack/react-query'
import type { ByModel, UsageFilter } from '#usage/contract'
import { today } from '../../ui/days.ts'
import { inSpan, stepsOf, type Period } from './period.ts'
import { previousSpend, spendSeries, spendTotals, tokenSeries } from './series.ts'
import { byModelQuery, dailyQuery, hourlyQuery, sumsQuery } from '../../api/usage-queries.ts'

const layers = 5
const every = 15_000

/** The most expensive models, each once even if several providers serve it. */
export function costliest(models: readonly ByModel[], filter: UsageFilter): string[] {
  if (filter.model !== undefined) return [filter.model]
  const sums = new Map<string, number>()
  for (const { model, total_cost } of models)
    sums.set(model, (sums.get(model) ?? 0) + Number(total_cost ?? 0))
  const named = [...sums].filter(([, cost]) => cost > 0).sort(([, one], [, other]) => other - one)
  return named.slice(0, layers).map(([model]) => model)
}

/** All data of a period and the previous one, polled while the period includes today. */
export function useUsage(groupId: string, filter: UsageFilter, period: Period) {
  const fresh = { refetchInterval: period.end_date >= today() ? every : (false as const) }
  const [here, before] = [inSpan(filter, period), inSpan(filter, period.before)]
  const bucketsOf = period.step === 'hour' ? hourlyQuery : dailyQuery
  const sums = useQuery({ ...sumsQuery(groupId, here), ...fresh })
  const sumsBefore = useQuery(sumsQuery(groupId, before))
  const models = useQuery({ ...byModelQuery(groupId, here), ...fresh })
  const total = useQuery({ ...bucketsOf(groupId, here), ...fresh } as ReturnType<typeof dailyQuery>)
  const totalBefore = useQuery(bucketsOf(groupId, before) as ReturnType<typeof dailyQuery>)
  const top = useMemo(() => costliest(models.data ?? [], filter), [models.data, filter])
  const ofModels = useQueries({
    queries: top.map((model) => ({
      ...(bucketsOf(groupId, { ...here, model }) as ReturnType<typeof dailyQuery>),
      ...fresh,
    })),
    combine: (results) => results.map(({ data }) => data),
  })
  const steps = useMemo(() => stepsOf(period, period.step), [period])
  const charts = useMemo(() => {
    const stacked = top.map((model, index) => ({ model, buckets: ofModels[index] ?? [] }))
    return {
      spend: spendSeries(total.data ?? [], stacked, steps),
      spendBefore: previousSpend(totalBefore.data ?? [], stepsOf(period.before, period.step)),
      totals: spendTotals(total.data ?? [], steps),
      tokens: tokenSeries(total.data ?? [], steps, Date.now()),
    }
  }, [top, ofModels, total.data, totalBefore.data, steps, period])
  return {
    ...charts,
    steps,
    sums,
    sumsBefore,
    // Waits for all layers, so that colours do not change while loading.
    isPending: total.isPending || models.isPending || ofModels.some((data) => data === undefined),
  }
}
