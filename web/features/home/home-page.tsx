import { lazy, Suspense, useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { loadWhenReachable } from '../../api/load-when-reachable.ts'
import type { CurrentGroup } from '../../api/session.ts'
import { sumsQuery } from '../../api/usage-queries.ts'
import { welcomeQuery } from '../../api/welcome.ts'
import { inGroup } from '../../shell/no-group.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { PageSkeleton } from '../../ui/skeleton.tsx'
import { Start } from './start/start.tsx'

const Overview = lazy(async () => {
  const { Overview: page } = await loadWhenReachable(() => import('./overview/overview.tsx'))
  return { default: page }
})

const pollEvery = 4000

/** A checklist until the first request has succeeded, an overview afterwards. */
export const HomePage = inGroup(Home)

function Home({ group }: { group: CurrentGroup }) {
  const [view, setView] = useState<'checklist' | 'overview'>()
  const sums = useQuery({
    ...sumsQuery(group.id, {}),
    refetchInterval: ({ state }) => (succeeded(state.data) > 0 ? false : pollEvery),
  })
  const isWorking = succeeded(sums.data) > 0
  const welcome = useQuery({
    ...welcomeQuery(group.id),
    refetchInterval: ({ state }) => (state.data?.key_used ? false : pollEvery),
  })
  // The list stays until it is left: neither a reload nor requests of others take it away.
  if (view === undefined && sums.data)
    setView(isWorking && !isStartListOpen(group.id) ? 'overview' : 'checklist')
  useEffect(() => {
    if (view !== undefined) keepStartList(group.id, view === 'checklist')
  }, [group.id, view])
  const error = welcome.data ? sums.error : (welcome.error ?? sums.error)
  if (error && !(welcome.data && sums.data))
    return (
      <Page title="Overview">
        <FailureNotice error={error} onRetry={() => Promise.all([welcome.refetch(), sums.refetch()])} />
      </Page>
    )
  if (!welcome.data || !sums.data) return <PageSkeleton />
  if (view === 'overview')
    return (
      <Suspense fallback={<PageSkeleton />}>
        <Overview group={group} welcome={welcome.data} />
      </Suspense>
    )
  return (
    <Start
      group={group}
      welcome={welcome.data}
      sums={sums.data}
      isWorking={isWorking}
      onLeave={() => setView('overview')}
    />
  )
}

const succeeded = (sums: { requests: number; errors: number } | undefined): number =>
  sums === undefined ? 0 : sums.requests - sums.errors

const storageKey = (groupId: string): string => `signalbox.start-list.${groupId}`

/** Whether this browser showed the start list of the group, and nobody has left it yet. */
function isStartListOpen(groupId: string): boolean {
  try {
    return localStorage.getItem(storageKey(groupId)) !== null
  } catch {
    return false
  }
}

function keepStartList(groupId: string, isOpen: boolean): void {
  try {
    if (isOpen) localStorage.setItem(storageKey(groupId), 'open')
    else localStorage.removeItem(storageKey(groupId))
  } catch {
    // Without storage the list is shown until the page is reloaded.
  }
}
