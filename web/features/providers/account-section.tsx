import { useState } from 'react'
import { EllipsisVertical, Pencil, Plus, Trash2 } from 'lucide-react'
import type { Provider, ProviderAccount, ProviderKey } from '#vault/contract'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { AccountDialog, DeleteAccountDialog } from './account-dialog.tsx'
import { AddKeyDialog } from './add-key-dialog.tsx'
import { KeyRow } from './key-row.tsx'

interface AccountSectionProps {
  account: ProviderAccount
  provider: Provider
  /** A single account named `Default` is shown without a title. */
  titled: boolean
  inUse: ProviderKey | undefined
  manages: boolean
}

export function AccountSection({ account, provider, titled, inUse, manages }: AccountSectionProps) {
  return (
    <div className="border-t border-line">
      {titled && <AccountTitle account={account} provider={provider} manages={manages} />}
      {account.keys.length > 0 ? (
        <ul className="divide-y divide-line">
          {account.keys.map((key) => (
            <KeyRow
              key={key.id}
              apiKey={key}
              groupId={account.group_id}
              providerName={provider.name}
              inUse={key.id === inUse?.id}
              manages={manages}
            />
          ))}
        </ul>
      ) : (
        <p className="px-4 py-3 text-sm text-ink-faint sm:px-5">No keys in this account yet.</p>
      )}
    </div>
  )
}

function AccountTitle({ account, provider, manages }: Omit<AccountSectionProps, 'titled' | 'inUse'>) {
  const [open, setOpen] = useState<'key' | 'edit' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const contact = [account.account_email, account.account_phone].filter(Boolean).join(' · ')
  const dialog = { groupId: account.group_id, provider, account, onClose: close }
  return (
    <div className="flex min-h-10 items-center gap-3 border-b border-line bg-sunken px-4 py-1 sm:px-5">
      <h3 className="min-w-0 flex-1 text-xs font-medium text-ink-soft">
        {account.name}
        {contact !== '' && (
          <span className="block font-normal [overflow-wrap:anywhere] text-ink-faint sm:ml-2 sm:inline">
            {contact}
          </span>
        )}
      </h3>
      {manages && (
        <Menu trigger={<IconButton label={`Actions for account ${account.name}`} icon={EllipsisVertical} />}>
          <MenuItem icon={Plus} onSelect={() => setOpen('key')}>
            Add key
          </MenuItem>
          <MenuItem icon={Pencil} onSelect={() => setOpen('edit')}>
            Edit account
          </MenuItem>
          <MenuItem icon={Trash2} danger onSelect={() => setOpen('delete')}>
            Delete account
          </MenuItem>
        </Menu>
      )}
      {open === 'key' && (
        <AddKeyDialog
          groupId={account.group_id}
          providers={[provider]}
          providerId={provider.id}
          accountId={account.id}
          onClose={close}
        />
      )}
      {open === 'edit' && <AccountDialog {...dialog} />}
      {open === 'delete' && <DeleteAccountDialog {...dialog} />}
    </div>
  )
}
