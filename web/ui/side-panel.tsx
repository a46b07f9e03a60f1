import type { ReactNode } from 'react'
import { Dialog as Radix } from 'radix-ui'

interface SidePanelProps {
  open: boolean
  onClose: () => void
  /** For screen readers; the panel has its own visible header. */
  title: string
  children: ReactNode
}

/** Beside the page, which stays usable; on narrow screens it covers the page. */
export function SidePanel({ open, onClose, title, children }: SidePanelProps) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()} modal={false}>
      <Radix.Portal>
        <Radix.Content
          aria-describedby={undefined}
          // The panel itself gets the focus, not its first button.
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
          }}
          // The list stays usable: only Escape and the button close the panel.
          onInteractOutside={(event) => event.preventDefault()}
          className="fixed inset-y-0 right-0 z-30 flex w-full animate-slide-in flex-col border-l border-line bg-surface shadow-high outline-none sm:w-[36rem] sm:max-w-[calc(100vw-3rem)]"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
