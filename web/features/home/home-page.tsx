import { useQuery } from '@tanstack/react-query'
import type { Welcome } from '#access/contract'
import { useCurrentGroup, type CurrentGroup } from '../../api/session.ts'
import { welcomeQuery } from '../../api/welcome.ts'
import { NoGroup } from '../../shell/no-group.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { PageSkeleton } from '../../ui/skeleton.tsx'
import { FirstCall } from './first-call.tsx'
import { NextSteps } from './next-steps.tsx'
import { Station, Stations } from './stations.tsx'
import { AddressRow, KeyRow } from './value-rows.tsx'
import { Hero } from './hero.tsx'
import { useQuickKey } from './quick-key.ts'

const lookAgainEvery = 4000

/** The way from a fresh box to the first call. */
export function HomePage() {
  const group = useCurrentGroup()
  const welcome = useQuery({
    ...welcomeQuery(group?.id),
    enabled: group !== null,
    refetchInterval: ({ state }) => (state.data?.key_used ? false : lookAgainEvery),
  })
  if (group === null) return <NoGroup />
  if (welcome.error && !welcome.data)
    return (
      <Page title="Overview">
        <FailureNotice error={welcome.error} onRetry={() => welcome.refetch()} />
      </Page>
    )
  if (!welcome.data) return <PageSkeleton />
  return <Start group={group} welcome={welcome.data} />
}

function Start({ group, welcome }: { group: CurrentGroup; welcome: Welcome }) {
  const quick = useQuickKey(group.id)
  const key = quick.value ?? welcome.first_key
  return (
    <>
      <title>Signalbox</title>
      <Hero used={welcome.key_used} group={group.name} />
      <Stations>
        <Station number={1} title="Point your client here">
          <AddressRow baseUrl={welcome.base_url} />
        </Station>
        <Station number={2} title="Give it a key">
          <KeyRow value={key} create={quick.create} />
        </Station>
        <Station number={3} title="Make the first call" last>
          <FirstCall baseUrl={welcome.base_url} apiKey={key} />
        </Station>
      </Stations>
      <NextSteps groupId={group.id} isUsed={welcome.key_used} />
    </>
  )
}
