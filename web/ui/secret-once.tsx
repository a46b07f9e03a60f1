import { CopyButton } from './copy-button.tsx'
import { Notice } from './notice.tsx'

/** A value that is shown once, with a button to copy it. */
export function SecretOnce({ value, what, warning }: { value: string; what: string; warning: string }) {
  return (
    <div className="space-y-3">
      <Notice tone="warning" title={`Copy the ${what} now. You won’t see it again.`}>
        {warning}
      </Notice>
      <div className="flex flex-col gap-2 sm:flex-row">
        <output
          aria-label={what}
          className="flex min-h-9 min-w-0 flex-1 items-center rounded-lg border border-line-strong bg-sunken px-3 py-1.5 font-mono text-xs break-all select-all"
        >
          {value}
        </output>
        <CopyButton text={value} what={what} labelled />
      </div>
    </div>
  )
}
