import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Explanation, NamedRoute } from '#gateway/contract'
import { keysOf, providersQuery } from '../../api/providers.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { providerName } from '../../ui/provider-name.ts'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { CheckField, TextField } from '../../ui/text-field.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { explainQuery } from './route-queries.ts'

interface DryRunDialogProps {
  groupId: string
  route: NamedRoute
  onClose: () => void
}

/** What a request would do now, and why. Nothing is sent. */
export function DryRunDialog({ groupId, route, onClose }: DryRunDialogProps) {
  const [tokens, setTokens] = useState('1000')
  const [tools, setTools] = useState(false)
  const [images, setImages] = useState(false)
  const size = useDebounced(Math.min(Math.max(Math.round(Number(tokens) || 0), 0), 100_000_000), 250)
  const explained = useQuery(explainQuery(groupId, route.name, { input_tokens: size, tools, images }))
  const { data: providers = [] } = useQuery(providersQuery(groupId))
  const keyNames = new Map(providers.flatMap(keysOf).map(({ id, name }) => [id, name]))
  return (
    <Dialog
      open
      onClose={onClose}
      wide
      title={`Dry run of “${route.name}”`}
      description="What a request would do now, and why. Nothing is sent to a provider."
    >
      <DialogBody>
        <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
          <div className="w-40">
            <TextField
              label="Input tokens"
              type="number"
              min={0}
              inputMode="numeric"
              value={tokens}
              onChange={setTokens}
            />
          </div>
          <div className="flex h-9 items-center gap-5">
            <CheckField label="With tools" checked={tools} onChange={setTools} />
            <CheckField label="With images" checked={images} onChange={setImages} />
          </div>
        </div>
        {explained.error && <FailureNotice error={explained.error} />}
        {explained.isPending && <ListSkeleton rows={route.targets.length} />}
        {explained.data && (
          <ol className="divide-y divide-line rounded-xl border border-line" aria-label="Targets">
            {explained.data.map((each, index) => (
              <ExplainedTarget
                key={index}
                explained={each}
                keyName={each.provider_key_id === null ? undefined : keyNames.get(each.provider_key_id)}
              />
            ))}
          </ol>
        )}
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}

const decisions: Record<Explanation['decision'], { word: string; tone: Tone }> = {
  used: { word: 'used', tone: 'success' },
  fallback: { word: 'takes over', tone: 'info' },
  left_out: { word: 'left out', tone: 'neutral' },
}

function ExplainedTarget({ explained, keyName }: { explained: Explanation; keyName: string | undefined }) {
  const { model, provider, decision, reason } = explained
  const { word, tone } = decisions[decision]
  const isOut = decision === 'left_out'
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 px-4 py-3 text-sm">
      <div className="min-w-0">
        <p className={isOut ? 'font-mono break-all text-ink-faint' : 'font-mono break-all'}>{model}</p>
        <p className="text-xs text-ink-faint">
          {[...(provider === null ? [] : [providerName(provider)]), ...(keyName ? [keyName] : [])].join(
            ' · ',
          )}
        </p>
        <p className="mt-1 text-ink-soft [overflow-wrap:anywhere]">
          {reason.slice(0, 1).toUpperCase() + reason.slice(1)}
          {/[.!?]$/.test(reason) ? '' : '.'}
        </p>
      </div>
      <Badge tone={tone}>{word}</Badge>
    </li>
  )
}
