import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { useQuery } from '@tanstack/react-query'
import type { Deployment } from '#records/contract'
import { servicesQuery } from '../../../api/services.ts'
import { errorOf, FormDialog, useForm } from '../../../ui/form-dialog.tsx'
import { inputTime, isoTime } from '../../../ui/input-time.ts'
import { recordsKey } from '../record-queries.ts'
import { timeZone } from '../../../ui/moment.ts'
import { CheckField, ChoiceField, TextField } from '../../../ui/text-field.tsx'
import { deploymentStatuses, statusNames } from './deployment-words.ts'

interface DeploymentDialogProps {
  groupId: string
  /** Undefined: a new one. */
  deployment?: Deployment | undefined
  onClose: () => void
}

function draftOf(deployment: Deployment | undefined) {
  return {
    service: deployment?.service ?? '',
    environment: deployment?.environment ?? 'production',
    version: deployment?.version ?? '',
    status: deployment?.status ?? ('succeeded' as const),
    started_at: inputTime(deployment?.started_at ?? new Date().toISOString()),
    finished_at: inputTime(deployment?.finished_at ?? null),
    commit: deployment?.commit ?? '',
    url: deployment?.url ?? '',
    is_rework: deployment?.is_rework ?? false,
  }
}

type Draft = Omit<ReturnType<typeof draftOf>, 'status'> & { status: Deployment['status'] }

/** Fields that were not touched are not sent: their times have seconds that the form does not show. */
function bodyOf(draft: Draft, before: Draft) {
  const body = {
    service: draft.service.trim(),
    environment: draft.environment.trim(),
    version: draft.version.trim() || null,
    status: draft.status,
    started_at: isoTime(draft.started_at),
    finished_at: draft.status === 'started' ? null : isoTime(draft.finished_at),
    commit: draft.commit.trim() || null,
    url: draft.url.trim() || null,
    is_rework: draft.is_rework,
  }
  const changed = Object.entries(body).filter(
    ([field]) => draft[field as keyof Draft] !== before[field as keyof Draft],
  )
  return Object.fromEntries(changed) as Partial<typeof body>
}

export function DeploymentDialog({ groupId, deployment, onClose }: DeploymentDialogProps) {
  const [before] = useState<Draft>(() => draftOf(deployment))
  const [draft, setDraft] = useState(before)
  const services = useQuery(servicesQuery(groupId)).data ?? []
  const isNew = deployment === undefined
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const form = useForm(
    recordsKey(groupId),
    isNew ? 'Deployment added' : 'Deployment updated',
    onClose,
    () => {
      const body = bodyOf(draft, before)
      const { service, status } = draft
      return isNew
        ? call('POST', '/api/deployments', {
            body: { ...body, service: service.trim(), status, source: 'manual' },
          })
        : call('PATCH', '/api/deployments/{id}', { path: { id: deployment.id }, body })
    },
  )
  const { error } = form
  return (
    <FormDialog
      title={isNew ? 'Add deployment' : 'Edit deployment'}
      description={`Times are in ${timeZone()}.`}
      action={isNew ? 'Add deployment' : 'Save changes'}
      {...form}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Service"
          required
          autoFocus={isNew}
          maxLength={100}
          list="dialog-services"
          error={errorOf(error, 'service')}
          value={draft.service}
          onChange={(service) => change({ service })}
        />
        <datalist id="dialog-services">
          {services.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <TextField
          label="Environment"
          required
          maxLength={100}
          value={draft.environment}
          onChange={(environment) => change({ environment })}
        />
        <TextField
          label="Version"
          maxLength={200}
          placeholder="1.4.2"
          value={draft.version}
          onChange={(version) => change({ version })}
        />
        <ChoiceField
          label="Status"
          value={draft.status}
          choices={deploymentStatuses.map((id) => ({ id, label: statusNames[id] }))}
          onChange={(status) => change({ status })}
        />
        <TextField
          label="Started"
          type="datetime-local"
          required
          error={errorOf(error, 'started_at')}
          value={draft.started_at}
          onChange={(started_at) => change({ started_at })}
        />
        {draft.status !== 'started' && (
          <TextField
            label="Finished"
            type="datetime-local"
            hint="Defaults to now."
            error={errorOf(error, 'finished_at')}
            value={draft.finished_at}
            onChange={(finished_at) => change({ finished_at })}
          />
        )}
        <TextField
          label="Commit"
          maxLength={200}
          placeholder="9fceb02"
          value={draft.commit}
          onChange={(commit) => change({ commit })}
        />
        <TextField
          label="Link"
          type="url"
          placeholder="https://ci.example.com/runs/4711"
          error={errorOf(error, 'url')}
          value={draft.url}
          onChange={(url) => change({ url })}
        />
      </div>
      <CheckField
        label="Rework"
        hint="Unplanned: it repairs something that is in production, such as a hotfix."
        checked={draft.is_rework}
        onChange={(is_rework) => change({ is_rework })}
      />
    </FormDialog>
  )
}
