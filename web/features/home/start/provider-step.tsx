import { Link } from '@tanstack/react-router'
import { FlaskConical } from 'lucide-react'
import type { Provider } from '#vault/contract'
import { keysOf } from '../../../api/providers.ts'
import { mayManage, type CurrentGroup } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'
import {
  AddKeyForm,
  keyInUse,
  providerWords,
  reportTest,
  stateOfProvider,
  statuses,
  useTestKey,
} from '../../providers/index.ts'
import type { ProviderState } from './use-provider-state.ts'

interface ProviderStepProps extends ProviderState {
  group: CurrentGroup
}

/** The first key is pasted here; it is tested at once, and what came of it stays in view. */
export function ProviderStep({ group, providers, hasKey }: ProviderStepProps) {
  if (!providers) return <Skeleton className="h-24" />
  const manages = mayManage(group.role)
  const added = providers.filter((provider) => keysOf(provider).length > 0)
  const isUsable = added.some((provider) => ['working', 'unused'].includes(stateOfProvider(provider)))
  if (!hasKey && !manages)
    return <Notice tone="info" title="Ask an admin or owner of the group to add a provider key." />
  return (
    <div className="space-y-3">
      {added.length > 0 && (
        <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface shadow-low">
          {added.map((provider) => (
            <AddedKey key={provider.id} group={group} provider={provider} manages={manages} />
          ))}
        </ul>
      )}
      {manages && !isUsable && (
        <div className="overflow-hidden rounded-xl border border-line bg-surface shadow-low">
          <AddKeyForm groupId={group.id} providers={providers} />
        </div>
      )}
      <p className="text-sm text-ink-soft">
        {hasKey
          ? 'More keys and other providers are on the page '
          : 'Your apps never see it. More on the page '}
        <Link to="/providers" className="text-accent underline underline-offset-2">
          Providers
        </Link>
        .
      </p>
    </div>
  )
}

interface AddedKeyProps {
  group: CurrentGroup
  provider: Provider
  manages: boolean
}

function AddedKey({ group, provider, manages }: AddedKeyProps) {
  const test = useTestKey(group.id)
  const key = keyInUse(provider)
  const state = stateOfProvider(provider)
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="font-medium">{provider.name}</span>
        <span className="text-sm text-ink-soft">
          <StatusDot status={statuses[state]}>{providerWords[state]}</StatusDot>
        </span>
        {manages && key && (
          <Button
            size="small"
            icon={FlaskConical}
            className="ml-auto"
            busy={test.isPending}
            onClick={() => test.mutate(key.id, { onSuccess: (result) => reportTest(result) })}
          >
            Test key
          </Button>
        )}
      </div>
      {state === 'failed' && key && key.last_error !== null && (
        <p className="mt-2 rounded-lg bg-danger-soft px-3 py-2 text-xs [overflow-wrap:anywhere] text-danger">
          {key.last_error}
        </p>
      )}
    </li>
  )
}
