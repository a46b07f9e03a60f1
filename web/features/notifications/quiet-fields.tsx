import { clsx } from 'clsx'
import { CheckField, TextField } from '../../ui/text-field.tsx'
import { timeZone } from '../../ui/moment.ts'
import { weekdayNames, weekdays, type ChannelDraft } from './channel-draft.ts'

interface QuietFieldsProps {
  draft: ChannelDraft
  onChange: (part: Partial<ChannelDraft>) => void
}

export function QuietFields({ draft, onChange }: QuietFieldsProps) {
  const { isQuiet, quietFrom, quietTo, quietDays } = draft
  return (
    <div className="space-y-4">
      <CheckField
        label="Quiet hours"
        hint="Everything but what is critical waits until they end and comes as one message."
        checked={isQuiet}
        onChange={(checked) => onChange({ isQuiet: checked })}
      />
      {isQuiet && (
        <div className="space-y-4 rounded-xl border border-line bg-sunken/50 p-4">
          <div className="grid grid-cols-2 gap-4">
            <TextField
              label="From"
              type="time"
              required
              value={quietFrom}
              onChange={(from) => onChange({ quietFrom: from })}
            />
            <TextField
              label="To"
              type="time"
              required
              value={quietTo}
              onChange={(to) => onChange({ quietTo: to })}
            />
          </div>
          <div role="group" aria-label="Days" className="flex flex-wrap gap-1.5">
            {weekdays.map((day) => {
              const isOn = quietDays.includes(day)
              return (
                <button
                  key={day}
                  type="button"
                  aria-pressed={isOn}
                  onClick={() =>
                    onChange({
                      quietDays: weekdays.filter((each) => (each === day ? !isOn : quietDays.includes(each))),
                    })
                  }
                  className={clsx(
                    'h-8 rounded-lg border px-2.5 text-sm font-medium transition-colors',
                    isOn
                      ? 'border-transparent bg-ink text-canvas'
                      : 'border-line-strong bg-surface text-ink-soft hover:text-ink',
                  )}
                >
                  {weekdayNames[day]}
                </button>
              )
            })}
          </div>
          <p className="text-xs text-ink-faint">
            The days on which they begin; none means every day. The time zone is that of the group, else UTC.
            Times on this page are in {timeZone()}.
          </p>
        </div>
      )}
    </div>
  )
}
