import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { ProviderKey } from '#vault/contract'
import { Badge } from '../../ui/badge.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { KeyMenu } from './key-menu.tsx'
import { statuses, hasFailedLast, keyWords, stateOfKey } from './provider-state.ts'

interface KeyRowProps {
  apiKey: ProviderKey
  groupId: string
  providerName: string
  /** The gateway uses this key now. */
  inUse: boolean
  manages: boolean
}

export function KeyRow({ apiKey, groupId, providerName, inUse, manages }: KeyRowProps) {
  const state = stateOfKey(apiKey)
  return (
    <li className="relative px-4 py-3 sm:px-5">
      <div className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1.5 pr-10 sm:grid-cols-[minmax(0,1fr)_9.5rem_12rem]">
        <div className="col-span-2 min-w-0 sm:col-span-1">
          <p className="flex items-center gap-2">
            <Link
              to="/providers/keys/$id"
              params={{ id: apiKey.id }}
              className="truncate text-sm font-medium hover:underline"
              title={apiKey.name}
            >
              {apiKey.name}
            </Link>
            <KeyBadges apiKey={apiKey} inUse={inUse} />
          </p>
          <p className="font-mono text-xs text-ink-faint">…{apiKey.key_suffix}</p>
        </div>
        <p className={clsx('text-sm', state === 'off' && 'text-ink-faint')}>
          <StatusDot status={statuses[state]}>{keyWords[state]}</StatusDot>
        </p>
        <p className="text-sm whitespace-nowrap text-ink-soft">
          <span className="mr-1.5 text-xs text-ink-faint">last used</span>
          {apiKey.last_used_at === null ? 'never' : <MomentText time={apiKey.last_used_at} />}
        </p>
      </div>
      {apiKey.last_error !== null && (
        <div className="mt-2">
          <ErrorNotice apiKey={apiKey} />
        </div>
      )}
      {manages && (
        <div className="absolute top-2.5 right-4 sm:right-5">
          <KeyMenu apiKey={apiKey} groupId={groupId} providerName={providerName} />
        </div>
      )}
    </li>
  )
}

/** How the gateway chooses the key. */
export function KeyBadges({ apiKey, inUse }: Pick<KeyRowProps, 'apiKey' | 'inUse'>) {
  return (
    <>
      {apiKey.is_default && <Badge tone="accent">default</Badge>}
      {apiKey.pooled && (
        <span className="flex" title="Pooled keys of the provider take over from each other.">
          <Badge tone="info">{apiKey.weight === 1 ? 'pooled' : `pooled, weight ${apiKey.weight}`}</Badge>
        </span>
      )}
      {inUse && !apiKey.is_default && (
        <span className="flex" title="No default is set, so requests use the oldest active key.">
          <Badge>in use</Badge>
        </span>
      )}
    </>
  )
}

/** The provider's message. Grey once a later request has succeeded. */
export function ErrorNotice({ apiKey }: { apiKey: ProviderKey }) {
  const isPresent = hasFailedLast(apiKey)
  return (
    <p
      className={clsx(
        'rounded-lg px-3 py-2 text-xs [overflow-wrap:anywhere]',
        isPresent ? 'bg-danger-soft text-danger' : 'bg-sunken text-ink-faint',
      )}
    >
      <span className="font-medium">
        {isPresent ? 'Failed' : 'Last error'}{' '}
        {apiKey.last_error_at !== null && <MomentText time={apiKey.last_error_at} />}
      </span>
      {': '}
      {apiKey.last_error}
    </p>
  )
}
