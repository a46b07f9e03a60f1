import { useState } from 'react'
import { Info } from 'lucide-react'
import { Tooltip } from 'radix-ui'

/** An explanation behind a small sign: on hover, on keyboard focus and on a tap. */
export function InfoTip({ label, text }: { label: string; text: string }) {
  const [open, setOpen] = useState(false)
  return (
    <Tooltip.Provider delayDuration={150}>
      <Tooltip.Root open={open} onOpenChange={setOpen}>
        <Tooltip.Trigger asChild>
          <button
            type="button"
            aria-label={label}
            onClick={(event) => {
              // A tap would otherwise close what it opens.
              event.preventDefault()
              setOpen(true)
            }}
            className="inline-flex rounded text-ink-faint hover:text-ink"
          >
            <Info aria-hidden className="size-3.5" />
          </button>
        </Tooltip.Trigger>
        <Tooltip.Portal>
          <Tooltip.Content
            sideOffset={6}
            collisionPadding={12}
            className="z-50 max-w-72 animate-fade rounded-lg border border-line bg-surface px-3 py-2 text-xs text-ink-soft shadow-high"
          >
            {text}
          </Tooltip.Content>
        </Tooltip.Portal>
      </Tooltip.Root>
    </Tooltip.Provider>
  )
}
