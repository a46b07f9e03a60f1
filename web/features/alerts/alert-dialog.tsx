import { useState } from 'react'
import { alertKinds, alertSeverities, type Alert, type AlertKind, type AlertSeverity } from '#limits/contract'
import { call } from '../../api/client.ts'
import { errorOf, FormDialog, useForm } from '../../ui/form-dialog.tsx'
import { ChoiceField, TextField } from '../../ui/text-field.tsx'
import { alertsKey } from './alert-queries.ts'
import { kindNames, severityNames } from './alert-words.ts'
import { ChannelField } from './channel-field.tsx'
import { KindFields } from './kind-fields.tsx'
import { configOf, startTexts, textsOf } from './kind-forms.ts'

interface AlertDialogProps {
  groupId: string
  /** The alert to edit; a new one without it. */
  alert?: Alert
  onClose: () => void
}

export function AlertDialog({ groupId, alert, onClose }: AlertDialogProps) {
  const [kind, setKind] = useState<AlertKind>(alert?.kind ?? 'spend')
  const [name, setName] = useState(alert?.name ?? '')
  const [severity, setSeverity] = useState<AlertSeverity>(alert?.severity ?? 'warning')
  const [texts, setTexts] = useState(alert ? textsOf(alert) : startTexts('spend'))
  const [channels, setChannels] = useState(alert?.channels ?? [])
  const body = { name: name.trim() || kindNames[kind], severity, channels, config: configOf(kind, texts) }
  const form = useForm(alertsKey(groupId), alert ? 'Alert updated' : 'Alert created', onClose, () =>
    alert
      ? call('PATCH', '/api/v1/alerts/{id}', { path: { id: alert.id }, body })
      : call('POST', '/api/v1/alerts', { body: { ...body, kind, group_id: groupId } }),
  )
  const chooseKind = (next: AlertKind) => {
    setKind(next)
    setTexts(startTexts(next))
  }
  return (
    <FormDialog
      title={alert ? `Edit “${alert.name}”` : 'Create alert'}
      description={alert ? kindNames[alert.kind] : 'It is checked at once, and fires if it is true already.'}
      action={alert ? 'Save changes' : 'Create alert'}
      wide
      {...form}
    >
      {!alert && (
        <ChoiceField
          label="When"
          value={kind}
          choices={alertKinds.map((id) => ({ id, label: kindNames[id] }))}
          onChange={chooseKind}
        />
      )}
      <KindFields groupId={groupId} kind={kind} texts={texts} error={form.error} onChange={setTexts} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Name"
          maxLength={100}
          placeholder={kindNames[kind]}
          error={errorOf(form.error, 'name')}
          value={name}
          onChange={setName}
        />
        <ChoiceField
          label="Severity"
          value={severity}
          choices={alertSeverities.map((id) => ({ id, label: severityNames[id] }))}
          onChange={setSeverity}
        />
      </div>
      <ChannelField groupId={groupId} chosen={channels} onChange={setChannels} />
    </FormDialog>
  )
}
