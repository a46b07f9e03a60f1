import { useState } from 'react'
import { Plus } from 'lucide-react'
import type { Finding } from '#initiatives/contract'
import { Button } from '../../../ui/button.tsx'
import { errorOf } from '../../../ui/form-dialog.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { Card } from '../../../ui/page.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { call } from '../../../api/client.ts'
import { initiativesKey, useInitiativeChange } from '../initiative-queries.ts'
import { DetailMenu } from './detail-menu.tsx'
import { CitedLink } from './evidence-list.tsx'
import { InPlaceForm } from './in-place-form.tsx'
import type { Place } from './place.ts'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'

export function FindingsCard({ place }: { place: Place }) {
  const [isAdding, setIsAdding] = useState(false)
  const [removed, setRemoved] = useState<Finding | undefined>()
  const { findings } = place.initiative
  return (
    <Card
      title="Findings"
      description="What was learned on the way, with its source."
      action={
        place.mayChange && (
          <Button size="small" icon={Plus} onClick={() => setIsAdding(true)}>
            Add finding
          </Button>
        )
      }
    >
      <div className="space-y-4">
        {findings.length === 0 && !isAdding && <p className="text-sm text-ink-faint">No findings yet.</p>}
        <ul className="space-y-3">
          {findings.map((finding) => (
            <li key={finding.id} className="flex items-start gap-3">
              <div className="min-w-0 flex-1 text-sm">
                <p className="[overflow-wrap:anywhere]">{finding.text}</p>
                <p className="mt-0.5 text-xs text-ink-faint">
                  {finding.url === null ? (
                    finding.source
                  ) : (
                    <CitedLink title={finding.source} url={finding.url} />
                  )}
                  , <MomentText time={finding.created_at} />
                </p>
              </div>
              {place.mayChange && (
                <DetailMenu noun="finding" name={finding.text} onRemove={() => setRemoved(finding)} />
              )}
            </li>
          ))}
        </ul>
        {isAdding && <FindingForm place={place} onClose={() => setIsAdding(false)} />}
      </div>
      {removed && (
        <DeleteDialog
          queryKey={initiativesKey(place.groupId)}
          verb="Remove"
          remove={() =>
            call('DELETE', '/api/initiatives/{id}/findings/{detail}', {
              path: { id: place.initiative.id, detail: removed.id },
            })
          }
          noun="finding"
          onClose={() => setRemoved(undefined)}
        >
          <p>{removed.text}</p>
        </DeleteDialog>
      )}
    </Card>
  )
}

function FindingForm({ place, onClose }: { place: Place; onClose: () => void }) {
  const [draft, setDraft] = useState({ text: '', source: '', url: '' })
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const { mutate, isPending, error } = useInitiativeChange(place.groupId)
  const body = {
    text: draft.text.trim(),
    ...(draft.source.trim() !== '' && { source: draft.source.trim() }),
    ...(draft.url.trim() !== '' && { url: draft.url.trim() }),
  }
  return (
    <InPlaceForm
      label="Add finding"
      action="Add finding"
      busy={isPending}
      error={error}
      onSubmit={() =>
        mutate(
          () => call('POST', '/api/initiatives/{id}/findings', { path: { id: place.initiative.id }, body }),
          { onSuccess: onClose },
        )
      }
      onCancel={onClose}
    >
      <TextField
        label="Finding"
        required
        autoFocus
        maxLength={4000}
        error={errorOf(error, 'text')}
        value={draft.text}
        onChange={(text) => change({ text })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Source"
          maxLength={300}
          placeholder="a person"
          error={errorOf(error, 'source')}
          value={draft.source}
          onChange={(source) => change({ source })}
        />
        <TextField
          label="Link"
          maxLength={2000}
          error={errorOf(error, 'url')}
          value={draft.url}
          onChange={(url) => change({ url })}
        />
      </div>
    </InPlaceForm>
  )
}
