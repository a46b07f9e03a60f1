import { X } from 'lucide-react'
import { Badge } from '../../../../ui/badge.tsx'
import { IconButton } from '../../../../ui/button.tsx'
import { Highlighted } from '../../../../ui/code-block.tsx'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { SidePanel } from '../../../../ui/side-panel.tsx'
import { fullText, isJson } from './as-text.ts'

interface ValuePanelProps {
  column: { name: string; type: string }
  /** From 1. */
  row: number
  value: unknown
  onClose: () => void
}

/** All of one value. */
export function ValuePanel({ column, row, value, onClose }: ValuePanelProps) {
  const text = fullText(value)
  return (
    <SidePanel open onClose={onClose} title="Value">
      <header className="flex items-center justify-between gap-3 border-b border-line px-5 py-3">
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-sm">
          <span className="font-medium [overflow-wrap:anywhere]">{column.name}</span>
          <Badge mono>{column.type}</Badge>
          <span className="text-ink-faint">{`row ${row}`}</span>
        </p>
        <span className="flex">
          <CopyButton text={text} what="value" />
          <IconButton label="Close" icon={X} onClick={onClose} />
        </span>
      </header>
      <pre
        tabIndex={0}
        aria-label="Value"
        className="min-h-0 flex-1 overflow-auto p-5 font-mono text-xs leading-relaxed whitespace-pre-wrap -outline-offset-2 [overflow-wrap:anywhere]"
      >
        {value === null ? (
          <span className="text-ink-faint italic">NULL</span>
        ) : isJson(value) ? (
          <Highlighted source={text} language="json" />
        ) : (
          text
        )}
      </pre>
    </SidePanel>
  )
}
