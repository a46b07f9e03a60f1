import { ChevronsUpDown } from 'lucide-react'
import type { NotificationKind } from '#notifications/contract'
import { CheckMenu } from '../../ui/check-menu.tsx'
import { kindNames } from '../../ui/notification-words.ts'
import { listText } from './list-text.ts'

const options = Object.entries(kindNames).map(([value, label]) => ({ value, label }))

interface KindsFieldProps {
  kinds: NotificationKind[]
  onChange: (kinds: NotificationKind[]) => void
}

export function KindsField({ kinds, onChange }: KindsFieldProps) {
  const shown =
    kinds.length === 0
      ? 'Everything'
      : listText(
          kinds.map((kind) => kindNames[kind]),
          1,
        )
  return (
    <div>
      <p className="mb-1.5 text-sm font-medium">Notifies about</p>
      <CheckMenu
        label="Notifies about"
        options={options}
        chosen={kinds}
        onChange={(chosen) => onChange(chosen as NotificationKind[])}
        reset={{ label: 'Everything', chosen: [] }}
        trigger={
          <button
            type="button"
            aria-label={`Notifies about: ${shown}`}
            className="flex h-9 w-full items-center justify-between gap-2 rounded-lg border border-field bg-surface px-3 text-left text-[1rem] hover:border-ink-soft sm:text-sm"
          >
            <span className="min-w-0 truncate">{shown}</span>
            <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-faint" />
          </button>
        }
      />
      <p className="mt-1.5 text-xs text-ink-faint">Choose nothing for everything.</p>
    </div>
  )
}
