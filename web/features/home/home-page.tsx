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
import { SetupStep, SetupSteps } from './setup-steps.tsx'
import { AddressRow, KeyRow } from './value-rows.tsx'
import { Hero } from './hero.tsx'
import { useQuickKey } from './quick-key.ts'

const pollEvery = 4000

/** From a fresh installation to the first request. */
export function HomePage() {
  const group = useCurrentGroup()
  const welcome = useQuery({
    ...welcomeQuery(group?.id),
    enabled: group !== null,
    refetchInterval: ({ state }) => (state.data?.key_used ? false : pollEvery),
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
      <Hero used={welcome.key_used} />
      <SetupSteps>
        <SetupStep number={1} title="Set the base URL in your client">
          <AddressRow baseUrl={welcome.base_url} />
        </SetupStep>
        <SetupStep number={2} title="Set the API key">
          <KeyRow value={key} create={quick.create} />
        </SetupStep>
        <SetupStep number={3} title="Send a request" last>
          <FirstCall baseUrl={welcome.base_url} apiKey={key} />
        </SetupStep>
      </SetupSteps>
      <NextSteps groupId={group.id} isUsed={welcome.key_used} />
    </>
  )
}
