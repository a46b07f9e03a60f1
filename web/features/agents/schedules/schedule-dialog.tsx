import { useState } from 'react'
import { cronInWords, type Schedule } from '#agents/contract'
import { call } from '../../../api/client.ts'
import { errorOf, FormDialog, useForm } from '../../../ui/form-dialog.tsx'
import { timeZone } from '../../../ui/moment.ts'
import { CheckField, ChoiceField, TextareaField, TextField } from '../../../ui/text-field.tsx'
import { schedulesKey } from './schedule-queries.ts'
import { cronOf, draftOf, emptySchedule, rhythmNames, rhythms, weekdays } from './schedule-draft.ts'

interface ScheduleDialogProps {
  groupId: string
  agentId: string
  /** Undefined: a new one. */
  schedule?: Schedule | undefined
  onClose: () => void
}

export function ScheduleDialog({ groupId, agentId, schedule, onClose }: ScheduleDialogProps) {
  const [draft, setDraft] = useState(() => (schedule ? draftOf(schedule) : emptySchedule(timeZone())))
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const cron = cronOf(draft)
  const { time_zone, enabled } = draft
  const body = { cron, time_zone: time_zone.trim(), request: draft.request.trim(), enabled }
  const isNew = schedule === undefined
  const form = useForm(
    schedulesKey(groupId, agentId),
    isNew ? 'Schedule added' : 'Schedule updated',
    onClose,
    () =>
      isNew
        ? call('POST', '/api/agents/{id}/schedules', { path: { id: agentId }, body })
        : call('PATCH', '/api/agents/{id}/schedules/{schedule_id}', {
            path: { id: agentId, schedule_id: schedule.id },
            body,
          }),
  )
  const isTimed = draft.rhythm !== 'custom'
  return (
    <FormDialog
      title={isNew ? 'Add schedule' : 'Edit schedule'}
      description="Its runs have your rights, and stop when you leave the group or may no longer ask agents."
      action={isNew ? 'Add schedule' : 'Save changes'}
      wide
      {...form}
    >
      <TextareaField
        label="Request"
        required
        maxLength={20_000}
        placeholder="What should the agent do each time? For example: validate the orders of yesterday."
        error={errorOf(form.error, 'request')}
        value={draft.request}
        onChange={(request) => change({ request })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceField
          label="How often"
          value={draft.rhythm}
          choices={rhythms.map((id) => ({ id, label: rhythmNames[id] }))}
          onChange={(rhythm) => change({ rhythm, cron })}
        />
        {isTimed ? (
          <TextField
            label={draft.rhythm === 'hour' ? 'Minute' : 'Time'}
            type="time"
            required
            value={draft.time}
            onChange={(time) => change({ time })}
          />
        ) : (
          <TextField
            label="Cron expression"
            required
            maxLength={100}
            className="font-mono"
            error={errorOf(form.error, 'cron')}
            value={draft.cron}
            onChange={(text) => change({ cron: text })}
          />
        )}
        {draft.rhythm === 'week' && (
          <ChoiceField
            label="Day"
            value={draft.weekday}
            choices={weekdays.map((label, id) => ({ id: String(id), label }))}
            onChange={(weekday) => change({ weekday })}
          />
        )}
        {draft.rhythm === 'month' && (
          <TextField
            label="Day of the month"
            type="number"
            min={1}
            max={28}
            required
            value={draft.day}
            onChange={(day) => change({ day })}
          />
        )}
        <TextField
          label="Time zone"
          required
          maxLength={64}
          error={errorOf(form.error, 'time_zone')}
          value={time_zone}
          onChange={(zone) => change({ time_zone: zone })}
        />
      </div>
      <p className="text-sm text-ink-soft" role="status">
        {`Runs ${cronInWords(cron)}, ${time_zone.trim()}.`}
      </p>
      <CheckField
        label="Enabled"
        hint="Switched off, it starts no run."
        checked={enabled}
        onChange={(on) => change({ enabled: on })}
      />
    </FormDialog>
  )
}
