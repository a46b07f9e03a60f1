import { useEffect, useState } from 'react'
import { Eye } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { FailureNotice, Notice } from '../../ui/notice.tsx'
import type { KeyDialogProps } from './delete-key-dialog.tsx'
import { useRevealKey } from './provider-queries.ts'

const secondsShown = 30

/** Asks first, because it is audited; then shows the key for a limited time. */
export function RevealDialog({ apiKey, groupId, providerName, onClose }: KeyDialogProps) {
  const reveal = useRevealKey(groupId)
  const value = reveal.data?.api_key
  return (
    <Dialog
      open
      onClose={onClose}
      title={value === undefined ? `Reveal key “${apiKey.name}”?` : `“${apiKey.name}”`}
      sticky={value !== undefined}
    >
      <DialogBody>
        {value === undefined ? (
          <div className="space-y-2 text-sm text-ink-soft">
            <p>
              Anyone with this key can call {providerName} directly, without Signalbox and its logs. The key
              is hidden again after {secondsShown} seconds.
            </p>
            <p className="font-medium text-ink">This is audited: who revealed which key, and when.</p>
          </div>
        ) : (
          <Revealed value={value} onEnd={onClose} />
        )}
        {reveal.error !== null && <FailureNotice error={reveal.error} />}
      </DialogBody>
      <DialogActions>
        {value === undefined ? (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              look="primary"
              icon={Eye}
              busy={reveal.isPending}
              onClick={() => reveal.mutate(apiKey.id)}
            >
              Reveal key
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>Hide key</Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

function Revealed({ value, onEnd }: { value: string; onEnd: () => void }) {
  const [left, setLeft] = useState(secondsShown)
  useEffect(() => {
    const end = Date.now() + secondsShown * 1000
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000))), 250)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (left === 0) onEnd()
  }, [left, onEnd])
  return (
    <div className="space-y-3">
      <div className="flex flex-col gap-2 sm:flex-row">
        <output
          aria-label="key"
          className="flex min-h-9 min-w-0 flex-1 items-center rounded-lg border border-line-strong bg-sunken px-3 py-1.5 font-mono text-xs break-all select-all"
        >
          {value}
        </output>
        <CopyButton text={value} what="key" labelled />
      </div>
      <Notice tone="warning" title={`Hidden in ${left} s`} />
    </div>
  )
}
