import type { ReactNode } from 'react'
import { Command } from 'cmdk'
import type { LucideIcon } from 'lucide-react'

interface PaletteGroupProps {
  heading: string
  /** Shown for any text. */
  always?: boolean
  children: ReactNode
}

export function PaletteGroup({ heading, always = false, children }: PaletteGroupProps) {
  return (
    <Command.Group
      heading={heading}
      forceMount={always}
      className="mb-1 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-faint"
    >
      {children}
    </Command.Group>
  )
}

interface PaletteEntryProps {
  icon: LucideIcon
  label: string
  keywords?: string[] | undefined
  always?: boolean
  /** What tells it apart from others with its label. */
  value?: string
  note?: string
  onSelect: () => void
}

export function PaletteEntry({
  icon: Icon,
  label,
  keywords = [],
  always = false,
  value,
  note,
  onSelect,
}: PaletteEntryProps) {
  return (
    <Command.Item
      value={value ?? label}
      keywords={keywords}
      forceMount={always}
      onSelect={onSelect}
      className="flex h-10 items-center gap-3 rounded-lg px-3 text-sm select-none data-[selected=true]:bg-hover"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-ink-faint" />
      <span className="min-w-0 flex-1 truncate" title={label}>
        {label}
      </span>
      {note !== undefined && <span className="text-xs text-ink-faint">{note}</span>}
    </Command.Item>
  )
}
