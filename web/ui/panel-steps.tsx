import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { IconButton } from './button.tsx'

interface PanelStepsProps {
  /** What the list has, such as "request". */
  noun: string
  /** The IDs of the list, newest first. */
  ids: readonly string[]
  id: string
  onOpen(id: string): void
  onClose(): void
}

/** The buttons of a panel beside a list: the neighbours of the record that it shows, and the way out. */
export function PanelSteps({ noun, ids, id, onOpen, onClose }: PanelStepsProps) {
  const at = ids.indexOf(id)
  const step = (to: number) => {
    const next = at === -1 ? undefined : ids[to]
    return { disabled: next === undefined, onClick: () => next !== undefined && onOpen(next) }
  }
  return (
    <>
      <IconButton
        label={`Newer ${noun} (k)`}
        icon={ChevronUp}
        className="disabled:opacity-40"
        {...step(at - 1)}
      />
      <IconButton
        label={`Older ${noun} (j)`}
        icon={ChevronDown}
        className="disabled:opacity-40"
        {...step(at + 1)}
      />
      <IconButton label="Close (Escape)" icon={X} onClick={onClose} />
    </>
  )
}
