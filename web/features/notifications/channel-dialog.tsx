import { useState } from 'react'
import type { Channel, NotificationSeverity } from '#notifications/contract'
import { call } from '../../api/client.ts'
import { errorOf, FormDialog, useForm } from '../../ui/form-dialog.tsx'
import { severityNames } from '../../ui/notification-words.ts'
import { ChoiceField, TextField } from '../../ui/text-field.tsx'
import { bodyOf, draftOf, type ChannelDraft } from './channel-draft.ts'
import { channelsKey } from './channel-queries.ts'
import { channelTypes, typeNames } from './channel-words.ts'
import { KindsField } from './kinds-field.tsx'
import { QuietFields } from './quiet-fields.tsx'
import { TypeFields } from './type-fields.tsx'

interface ChannelDialogProps {
  groupId: string
  /** The channel to change; without it a new one is added. */
  channel?: Channel
  onClose: () => void
}

const severities = Object.keys(severityNames) as NotificationSeverity[]

export function ChannelDialog({ groupId, channel, onClose }: ChannelDialogProps) {
  const [draft, setDraft] = useState(() => draftOf(channel))
  const change = (part: Partial<ChannelDraft>) => setDraft((before) => ({ ...before, ...part }))
  const body = bodyOf(draft, channel)
  const form = useForm(channelsKey(groupId), channel ? 'Channel updated' : 'Channel added', onClose, () =>
    channel
      ? call('PATCH', '/api/v1/channels/{id}', { path: { id: channel.id }, body })
      : call('POST', '/api/v1/channels', { body: { ...body, type: draft.type, group_id: groupId } }),
  )
  return (
    <FormDialog
      title={channel ? `Edit “${channel.name}”` : 'Add channel'}
      action={channel ? 'Save changes' : 'Add channel'}
      wide
      {...form}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        {!channel && (
          <ChoiceField
            label="Type"
            value={draft.type}
            choices={channelTypes.map((id) => ({ id, label: typeNames[id] }))}
            onChange={(type) => change({ type })}
          />
        )}
        <TextField
          label="Name"
          required
          maxLength={100}
          placeholder="On-call"
          error={errorOf(form.error, 'name')}
          value={draft.name}
          onChange={(name) => change({ name })}
        />
      </div>
      <TypeFields draft={draft} channel={channel} error={form.error} onChange={change} />
      <div className="grid gap-5 sm:grid-cols-2">
        <KindsField kinds={draft.kinds} onChange={(kinds) => change({ kinds })} />
        <ChoiceField
          label="Minimum severity"
          hint="Less severe notifications are not sent."
          value={draft.minSeverity}
          choices={severities.map((id) => ({ id, label: severityNames[id] }))}
          onChange={(minSeverity) => change({ minSeverity })}
        />
      </div>
      <QuietFields draft={draft} onChange={change} />
      <TextField
        label="Repeat after hours"
        hint="Sends what is still firing again. Empty: never."
        type="number"
        min={1}
        max={168}
        error={errorOf(form.error, 'config.repeat_hours')}
        value={draft.repeatHours}
        onChange={(repeatHours) => change({ repeatHours })}
      />
    </FormDialog>
  )
}
