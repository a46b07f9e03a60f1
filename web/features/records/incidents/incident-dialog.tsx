import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Incident } from '#records/contract'
import { servicesQuery } from '../../../api/services.ts'
import { errorOf, FormDialog, useForm } from '../../../ui/form-dialog.tsx'
import { exactTime, timeZone } from '../../../ui/moment.ts'
import { ChoiceField, TextField, TextareaField } from '../../../ui/text-field.tsx'
import { inputTime, isoTime } from '../../../ui/input-time.ts'
import { listQuery, recordsKey } from '../record-queries.ts'

interface IncidentDialogProps {
  groupId: string
  /** Undefined: a new one. */
  incident?: Incident | undefined
  /** The service of a new one. */
  service?: string | undefined
  onClose: () => void
}

function draftOf(incident: Incident | undefined, service: string | undefined) {
  return {
    service: incident?.service ?? service ?? '',
    cause: incident?.cause ?? '',
    note: incident?.note ?? '',
    opened_at: inputTime(incident?.opened_at ?? new Date().toISOString()),
    closed_at: inputTime(incident?.closed_at ?? null),
    deployment_id: incident?.deployment_id ?? '',
  }
}

type Draft = ReturnType<typeof draftOf>

/** Fields that were not touched are not sent: health checks set some of them, and times have seconds. */
function bodyOf(draft: Draft, before: Draft) {
  const body = {
    cause: draft.cause.trim(),
    note: draft.note,
    opened_at: isoTime(draft.opened_at),
    closed_at: isoTime(draft.closed_at) ?? null,
    deployment_id: draft.deployment_id || null,
  }
  const changed = Object.entries(body).filter(
    ([field]) => draft[field as keyof Draft] !== before[field as keyof Draft],
  )
  return Object.fromEntries(changed) as Partial<typeof body>
}

export function IncidentDialog({ groupId, incident, service, onClose }: IncidentDialogProps) {
  const [before] = useState(() => draftOf(incident, service))
  const [draft, setDraft] = useState(before)
  const isNew = incident === undefined
  const form = useForm(recordsKey(groupId), isNew ? 'Incident reported' : 'Incident updated', onClose, () => {
    const body = bodyOf(draft, before)
    return isNew
      ? call('POST', '/api/incidents', { body: { cause: '', ...body, service: draft.service } })
      : call('PATCH', '/api/incidents/{id}', { path: { id: incident.id }, body })
  })
  return (
    <FormDialog
      title={isNew ? 'Report incident' : `Edit incident of ${incident.service}`}
      description={
        incident?.source === 'health_check'
          ? 'Health checks opened it, and close it when they pass.'
          : `Times are in ${timeZone()}.`
      }
      action={isNew ? 'Report incident' : 'Save changes'}
      {...form}
    >
      <IncidentFields
        groupId={groupId}
        draft={draft}
        incident={incident}
        error={form.error}
        onChange={(part) => setDraft({ ...draft, ...part })}
      />
    </FormDialog>
  )
}

interface IncidentFieldsProps {
  groupId: string
  draft: Draft
  incident: Incident | undefined
  error: unknown
  onChange: (part: Partial<Draft>) => void
}

function IncidentFields({ groupId, draft, incident, error, onChange }: IncidentFieldsProps) {
  const isChecked = incident?.source === 'health_check'
  return (
    <>
      {incident === undefined && (
        <ServiceChoice
          groupId={groupId}
          value={draft.service}
          onChange={(service) => onChange({ service })}
        />
      )}
      {!isChecked && (
        <>
          <TextField
            label="What is wrong"
            required
            maxLength={1_000}
            placeholder="Payments are refused"
            error={errorOf(error, 'cause')}
            value={draft.cause}
            onChange={(cause) => onChange({ cause })}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label="Opened"
              type="datetime-local"
              required
              error={errorOf(error, 'opened_at')}
              value={draft.opened_at}
              onChange={(opened_at) => onChange({ opened_at })}
            />
            <TextField
              label="Closed"
              type="datetime-local"
              hint="Empty while it lasts."
              error={errorOf(error, 'closed_at')}
              value={draft.closed_at}
              onChange={(closed_at) => onChange({ closed_at })}
            />
          </div>
        </>
      )}
      <DeploymentChoice
        groupId={groupId}
        service={draft.service}
        value={draft.deployment_id}
        onChange={(deployment_id) => onChange({ deployment_id })}
      />
      <TextareaField
        label="Note"
        hint="What happened and what was done. Not shown on the status page."
        maxLength={10_000}
        className="min-h-28"
        value={draft.note}
        onChange={(text) => onChange({ note: text })}
      />
    </>
  )
}

interface ChoiceProps {
  groupId: string
  value: string
  onChange: (value: string) => void
}

function ServiceChoice({ groupId, value, onChange }: ChoiceProps) {
  const services = useQuery(servicesQuery(groupId)).data ?? []
  const choices = services.map(({ name, title }) => ({ id: name, label: title }))
  return (
    <ChoiceField
      label="Service"
      value={value}
      choices={[...(value === '' ? [{ id: '', label: 'Choose a service' }] : []), ...choices]}
      onChange={onChange}
    />
  )
}

/** The newest deployments of the service, and the one that is named already. */
function DeploymentChoice({ groupId, service, value, onChange }: ChoiceProps & { service: string }) {
  const list = useInfiniteQuery({
    ...listQuery(groupId, '/api/deployments', { query: { service, limit: 20 } }),
    enabled: service !== '',
  })
  const deployments = list.data?.pages[0]?.data ?? []
  const isListed = value === '' || deployments.some(({ id }) => id === value)
  return (
    <ChoiceField
      label="Caused by"
      hint="The deployment then counts as a failed change."
      value={value}
      choices={[
        { id: '', label: 'No deployment' },
        ...(isListed ? [] : [{ id: value, label: 'An earlier deployment' }]),
        ...deployments.map(({ id, version, environment, started_at }) => ({
          id,
          label: `${version ?? service} to ${environment}, ${exactTime(started_at)}`,
        })),
      ]}
      onChange={onChange}
    />
  )
}
