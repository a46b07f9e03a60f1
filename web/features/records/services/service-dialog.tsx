import { useState } from 'react'
import { call } from '../../../api/client.ts'
import type { Service } from '#records/contract'
import { errorOf, FormDialog, useForm } from '../../../ui/form-dialog.tsx'
import { recordsKey } from '../record-queries.ts'
import { CheckField, TextField } from '../../../ui/text-field.tsx'
import { bodyOf, draftOf, newDraft, type ServiceDraft } from './service-draft.ts'

interface ServiceDialogProps {
  groupId: string
  /** Undefined: a new one. */
  service?: Service | undefined
  onClose: () => void
}

export function ServiceDialog({ groupId, service, onClose }: ServiceDialogProps) {
  const [draft, setDraft] = useState(service ? draftOf(service) : newDraft)
  const isNew = service === undefined
  const form = useForm(recordsKey(groupId), isNew ? 'Service added' : 'Service updated', onClose, () =>
    isNew
      ? call('POST', '/api/services', { body: { name: draft.name.trim(), ...bodyOf(draft) } })
      : call('PATCH', '/api/services/{id}', { path: { id: service.id }, body: bodyOf(draft) }),
  )
  return (
    <FormDialog
      title={isNew ? 'Add service' : `Edit ${service.title}`}
      description={isNew ? 'Signalbox checks its URL and opens an incident when it fails.' : undefined}
      action={isNew ? 'Add service' : 'Save changes'}
      {...form}
    >
      <ServiceFields
        draft={draft}
        isNew={isNew}
        error={form.error}
        onChange={(part) => setDraft({ ...draft, ...part })}
      />
    </FormDialog>
  )
}

interface ServiceFieldsProps {
  draft: ServiceDraft
  isNew: boolean
  error: unknown
  onChange: (part: Partial<ServiceDraft>) => void
}

function ServiceFields({ draft, isNew, error, onChange }: ServiceFieldsProps) {
  return (
    <>
      {isNew && (
        <TextField
          label="Name"
          hint="Small letters, digits and . _ -. Deployments and alerts refer to it; it can’t be changed later."
          error={errorOf(error, 'name')}
          required
          autoFocus
          maxLength={63}
          placeholder="checkout"
          value={draft.name}
          onChange={(name) => onChange({ name })}
        />
      )}
      <TextField
        label="Title"
        hint={isNew ? 'For people. Defaults to the name.' : undefined}
        maxLength={100}
        placeholder="Checkout"
        value={draft.title}
        onChange={(title) => onChange({ title })}
      />
      <TextField
        label="URL to check"
        hint="One GET per interval. Leave it empty if alerts report its state."
        error={errorOf(error, 'url')}
        type="url"
        placeholder="https://checkout.example.com/healthz"
        value={draft.url}
        onChange={(url) => onChange({ url })}
      />
      {draft.url.trim() !== '' && <CheckFields draft={draft} error={error} onChange={onChange} />}
      <CheckField
        label="Show on the status page"
        hint="Its title, description, state, uptime and incident times become public once the status page is switched on."
        checked={draft.is_public}
        onChange={(is_public) => onChange({ is_public })}
      />
    </>
  )
}

const numbers = [
  { field: 'interval_s', label: 'Interval (s)', min: 10, max: 86_400 },
  { field: 'timeout_ms', label: 'Timeout (ms)', min: 100, max: 60_000 },
  { field: 'expect_status', label: 'Expected status', min: 100, max: 599 },
  { field: 'failures_to_open', label: 'Failures until down', min: 1, max: 100 },
  { field: 'passes_to_close', label: 'Passes until up', min: 1, max: 100 },
] as const

function CheckFields({ draft, error, onChange }: Omit<ServiceFieldsProps, 'isNew'>) {
  return (
    <>
      <div className="grid grid-cols-2 gap-4 sm:grid-cols-3">
        {numbers.map(({ field, label, min, max }) => (
          <TextField
            key={field}
            label={label}
            type="number"
            required
            min={min}
            max={max}
            error={errorOf(error, field)}
            value={draft[field]}
            onChange={(value) => onChange({ [field]: value })}
          />
        ))}
      </div>
      <CheckField
        label="The URL is in a private network"
        hint="Works only if the server was started with UPSTREAM_PRIVATE=1."
        checked={draft.allow_private}
        onChange={(allow_private) => onChange({ allow_private })}
      />
    </>
  )
}
