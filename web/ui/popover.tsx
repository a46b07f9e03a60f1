import type { ReactNode } from 'react'
import { Popover as Radix } from 'radix-ui'

interface PopoverProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  trigger: ReactNode
  /** What it contains, for screen readers. */
  label: string
  children: ReactNode
}

/** Opens below its trigger and is at least as wide. */
export function Popover({ open, onOpenChange, trigger, label, children }: PopoverProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align="end"
          sideOffset={6}
          collisionPadding={12}
          className="z-50 flex max-h-(--radix-popover-content-available-height) w-[max(var(--radix-popover-trigger-width),24rem)] max-w-[calc(100vw-1.5rem)] animate-rise flex-col overflow-hidden rounded-xl border border-line bg-surface shadow-high outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
