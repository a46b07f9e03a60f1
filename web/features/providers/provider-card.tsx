import { useState } from 'react'
import { EllipsisVertical, FolderPlus, Pencil, Plus, Power, PowerOff, Trash2 } from 'lucide-react'
import { toast } from 'sonner'
import type { Provider } from '#vault/contract'
import { mayManage, type CurrentGroup } from '../../api/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { keysOf } from '../../api/providers.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { AccountDialog } from './account-dialog.tsx'
import { AccountSection } from './account-section.tsx'
import { ModelSync } from './model-sync.tsx'
import { DocsLink, WhatGoesHere } from './provider-links.tsx'
import {
  statuses,
  hasModelSync,
  isCustom,
  keyInUse,
  providerWords,
  stateOfProvider,
} from './provider-state.ts'
import { ProviderDialog } from './provider-dialog.tsx'
import { useSwitchProvider, useRemoveProvider } from './provider-queries.ts'
import { patternsInWords } from './prefixes.ts'

interface ProviderCardProps {
  provider: Provider
  group: CurrentGroup
  onAddKey: () => void
}

export function ProviderCard({ provider, group, onAddKey }: ProviderCardProps) {
  const manages = mayManage(group.role)
  const inUse = keyInUse(provider)
  const shown = provider.accounts.filter((account) => account.keys.length > 0 || account.name !== 'Default')
  const titled = shown.length > 1 || shown.some((account) => account.name !== 'Default')
  return (
    <section
      aria-label={provider.name}
      className="overflow-hidden rounded-xl border border-line bg-surface shadow-low"
    >
      <CardHead provider={provider} group={group} manages={manages} onAddKey={onAddKey} />
      {shown.map((account) => (
        <AccountSection
          key={account.id}
          account={account}
          provider={provider}
          titled={titled}
          inUse={inUse}
          manages={manages}
        />
      ))}
      {hasModelSync(provider) && keysOf(provider).length > 0 && (
        <ModelSync groupId={group.id} name={provider.name} manages={manages} />
      )}
    </section>
  )
}

interface CardHeadProps extends ProviderCardProps {
  manages: boolean
}

function CardHead({ provider, group, manages, onAddKey }: CardHeadProps) {
  const [open, setOpen] = useState<'account' | 'change' | 'remove' | null>(null)
  const power = useSwitchProvider(group.id)
  const state = stateOfProvider(provider)
  const close = () => setOpen(null)
  const custom = isCustom(provider)
  return (
    <header className="px-4 py-4 sm:px-5">
      <div className="flex items-start gap-3">
        <div className="flex min-h-8 min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="text-lg font-semibold tracking-tight">{provider.name}</h2>
          {custom && <Badge>custom</Badge>}
          <span className="text-sm text-ink-soft">
            <StatusDot status={statuses[state]}>{providerWords[state]}</StatusDot>
          </span>
        </div>
        {manages && (
          <div className="flex items-center gap-1">
            <Button size="small" icon={Plus} onClick={onAddKey}>
              Add key
            </Button>
            <Menu trigger={<IconButton label={`Actions for ${provider.name}`} icon={EllipsisVertical} />}>
              <MenuItem icon={FolderPlus} onSelect={() => setOpen('account')}>
                Add account
              </MenuItem>
              {custom && group.role === 'owner' && (
                <MenuItem icon={Pencil} onSelect={() => setOpen('change')}>
                  Edit provider
                </MenuItem>
              )}
              {group.role === 'owner' && (
                <MenuItem
                  icon={provider.is_active ? PowerOff : Power}
                  onSelect={() => power.mutate({ id: provider.id, is_active: !provider.is_active })}
                >
                  {provider.is_active ? 'Turn off provider' : 'Turn on provider'}
                </MenuItem>
              )}
              {custom && group.role === 'owner' && (
                <MenuItem icon={Trash2} danger onSelect={() => setOpen('remove')}>
                  Remove provider
                </MenuItem>
              )}
            </Menu>
          </div>
        )}
      </div>
      <p className="mt-0.5 flex flex-wrap gap-x-4 gap-y-0.5 text-sm text-ink-soft">
        <span>
          <WhatGoesHere prefixes={provider.prefixes} />
        </span>
        <DocsLink provider={provider}>{state === 'none' ? 'Get a key' : 'Documentation'}</DocsLink>
      </p>
      {custom && <p className="mt-0.5 font-mono text-xs break-all text-ink-faint">{provider.base_url}</p>}
      {open === 'account' && <AccountDialog groupId={group.id} provider={provider} onClose={close} />}
      {open === 'change' && <ProviderDialog groupId={group.id} provider={provider} onClose={close} />}
      {open === 'remove' && <RemoveProviderDialog groupId={group.id} provider={provider} onClose={close} />}
    </header>
  )
}

interface RemoveProviderDialogProps {
  groupId: string
  provider: Provider
  onClose: () => void
}

function RemoveProviderDialog({ groupId, provider, onClose }: RemoveProviderDialogProps) {
  const remove = useRemoveProvider(groupId)
  const onSuccess = () => {
    toast.success(`${provider.name} removed`)
    onClose()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Remove ${provider.name}?`}
      action="Remove provider"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(provider.id, { onSuccess })}
    >
      <p>
        Requests to models named {patternsInWords(provider.prefixes)} fail from now on, and its keys are
        deleted. Its past requests stay in the logs.
      </p>
    </ConfirmDialog>
  )
}
