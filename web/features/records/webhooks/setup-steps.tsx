import type { Hook } from '#webhooks/contract'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../../ui/dialog.tsx'
import { kindWords } from './hook-words.ts'

/** The address and what to do at the sender. */
export function SetupSteps({ hook }: { hook: Hook }) {
  return (
    <div className="space-y-4">
      <div>
        <p className="mb-1.5 text-sm font-medium">Address</p>
        <div className="flex flex-col gap-2 sm:flex-row">
          <output
            aria-label="Address"
            className="flex min-h-9 min-w-0 flex-1 items-center rounded-lg border border-line-strong bg-sunken px-3 py-1.5 font-mono text-xs break-all select-all"
          >
            {hook.url}
          </output>
          <CopyButton text={hook.url} what="address" labelled />
        </div>
      </div>
      <ol className="list-decimal space-y-1.5 pl-5 text-sm text-ink-soft">
        {kindWords[hook.kind].steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {hook.kind === 'alertmanager' && <CodeBlock what="alertmanager.yml" source={receiver(hook.url)} />}
      {hook.kind === 'generic' && (
        <CodeBlock language="bash" what="Signed request" source={signed(hook.url)} />
      )}
    </div>
  )
}

const receiver = (url: string) => `receivers:
  - name: signalbox
    webhook_configs:
      - url: ${url}
        http_config:
          authorization:
            credentials: YOUR_SECRET`

const signed = (
  url: string,
) => `body='{"kind":"deployment","id":"build-4711","service":"checkout","status":"succeeded","started_at":"'$(date -u +%FT%TZ)'"}'
now=$(date +%s)
signature=$(printf '%s.%s' "$now" "$body" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)
curl ${url} \\
  -H "Content-Type: application/json" \\
  -H "X-Signalbox-Timestamp: $now" \\
  -H "X-Signalbox-Signature: sha256=$signature" \\
  -d "$body"`

export function SetupDialog({ hook, onClose }: { hook: Hook; onClose: () => void }) {
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`Set up ${kindWords[hook.kind].name}`}
      description="The secret was shown when the webhook was created. Change it if it is lost."
    >
      <DialogBody>
        <SetupSteps hook={hook} />
      </DialogBody>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}
