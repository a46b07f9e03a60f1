import type { ReactNode } from 'react'
import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { IconButton } from './button.tsx'

interface DialogProps {
  open: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  wide?: boolean
  /** Prevents closing by a click outside or by Escape: for values that are shown once. */
  sticky?: boolean
  children: ReactNode
}

/** A dialog over the page; on narrow screens at the bottom edge. */
export function Dialog({ open, onClose, title, description, wide, sticky, children }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim backdrop-blur-[2px]" />
        <Radix.Content
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          onInteractOutside={(event) => sticky && event.preventDefault()}
          onEscapeKeyDown={(event) => sticky && event.preventDefault()}
          className={clsx(
            'fixed z-50 flex max-h-[92dvh] w-full animate-rise flex-col bg-surface shadow-high outline-none',
            'inset-x-0 bottom-0 rounded-t-2xl border border-line sm:inset-auto sm:top-1/2 sm:left-1/2',
            'sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-2xl',
            wide ? 'sm:max-w-2xl' : 'sm:max-w-lg',
          )}
        >
          <div className="pt-5 pr-14 pl-5 sm:pl-6">
            <Radix.Title className="text-lg font-semibold tracking-tight">{title}</Radix.Title>
            {description !== undefined && (
              <Radix.Description className="mt-1 text-sm text-ink-soft">{description}</Radix.Description>
            )}
          </div>
          {children}
          {/* Last, so that the keyboard focus starts with the content. */}
          <Radix.Close asChild>
            <IconButton label="Close" icon={X} className="absolute top-3.5 right-3.5" />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export function DialogBody({ children }: { children: ReactNode }) {
  return <div className="min-h-0 flex-1 space-y-5 overflow-y-auto px-5 py-5 sm:px-6">{children}</div>
}

export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col-reverse gap-2 border-t border-line px-5 py-4 sm:flex-row sm:justify-end sm:px-6">
      {children}
    </div>
  )
}
