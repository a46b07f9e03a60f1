import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import type { Welcome } from '#access/contract'
import type { UsageSums } from '#usage/contract'
import { modelsQuery } from '../../../api/models.ts'
import type { CurrentGroup } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { NextSteps } from '../next-steps.tsx'
import { FirstCall } from './first-call.tsx'
import { Hero } from './hero.tsx'
import { LastFailure } from './last-failure.tsx'
import { ProviderStep } from './provider-step.tsx'
import { useQuickKey } from './quick-key.ts'
import { SetupStep, SetupSteps } from './setup-steps.tsx'
import { firstModel } from './snippets.ts'
import { useProviderState } from './use-provider-state.ts'
import { AddressRow, KeyRow } from './value-rows.tsx'

interface StartProps {
  group: CurrentGroup
  welcome: Welcome
  sums: UsageSums
  /** Whether a request has succeeded. */
  isWorking: boolean
  onLeave: () => void
}

/** From a fresh installation to the first request that succeeds. */
export function Start({ group, welcome, sums, isWorking, onLeave }: StartProps) {
  const quick = useQuickKey(group.id)
  const provider = useProviderState(group.id, isWorking)
  const { data: models = [] } = useQuery({ ...modelsQuery(group.id), enabled: provider.hasKey })
  const key = quick.value ?? welcome.first_key
  return (
    <>
      <title>Signalbox</title>
      <Hero
        state={isWorking ? 'working' : sums.requests > 0 ? 'failing' : 'waiting'}
        action={
          isWorking && (
            <Button look="primary" icon={ArrowRight} onClick={onLeave}>
              Open overview
            </Button>
          )
        }
      />
      <SetupSteps>
        <SetupStep number={1} title="Add a provider key" isDone={provider.isWorking || isWorking}>
          <ProviderStep group={group} {...provider} />
        </SetupStep>
        <SetupStep number={2} title="Set the base URL and the API key in your client" isDone={isWorking}>
          <div className="space-y-4">
            <AddressRow baseUrl={welcome.base_url} />
            <KeyRow value={key} create={quick.create} />
          </div>
        </SetupStep>
        <SetupStep number={3} title="Send a request" isDone={isWorking} last>
          <FirstCall baseUrl={welcome.base_url} apiKey={key} model={firstModel(models)} />
          {!isWorking && sums.requests > 0 && <LastFailure groupId={group.id} />}
        </SetupStep>
      </SetupSteps>
      <NextSteps groupId={group.id} isUsed={isWorking} />
    </>
  )
}
