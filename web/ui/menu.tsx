import type { ReactNode } from 'react'
import { clsx } from 'clsx'
import { Check, type LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'

interface MenuProps {
  trigger: ReactNode
  align?: 'start' | 'end'
  /** As wide as its trigger. */
  matchTrigger?: boolean
  children: ReactNode
}

export function Menu({ trigger, align = 'end', matchTrigger, children }: MenuProps) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={clsx(
            'z-50 max-h-80 min-w-44 animate-rise overflow-y-auto rounded-xl border border-line bg-surface p-1 shadow-high',
            matchTrigger && 'w-(--radix-dropdown-menu-trigger-width)',
          )}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

interface MenuItemProps {
  icon?: LucideIcon
  danger?: boolean
  checked?: boolean
  onSelect: () => void
  children: ReactNode
}

export function MenuItem({ icon: Icon, danger, checked, onSelect, children }: MenuItemProps) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      aria-current={checked}
      className={clsx(
        'flex h-8 items-center gap-2.5 rounded-lg px-2.5 text-sm outline-none select-none',
        danger ? 'text-danger data-highlighted:bg-danger-soft' : 'text-ink data-highlighted:bg-hover',
      )}
    >
      {Icon && <Icon aria-hidden className={clsx('size-4 shrink-0', !danger && 'text-ink-faint')} />}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {checked && <Check aria-hidden className="size-4 shrink-0 text-accent" />}
    </DropdownMenu.Item>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Label className="px-2.5 pt-1.5 pb-1 text-xs font-medium text-ink-faint">
      {children}
    </DropdownMenu.Label>
  )
}

export function MenuLine() {
  return <DropdownMenu.Separator className="mx-1 my-1 h-px bg-line" />
}
