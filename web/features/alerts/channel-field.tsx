import { useQuery } from '@tanstack/react-query'
import { CheckField } from '../../ui/text-field.tsx'
import { typeNames } from '../notifications/index.ts'
import { alertChannelsQuery } from './alert-queries.ts'

interface ChannelFieldProps {
  groupId: string
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** Which channels are notified. The bell of the dashboard always is. */
export function ChannelField({ groupId, chosen, onChange }: ChannelFieldProps) {
  const channels = useQuery(alertChannelsQuery(groupId)).data ?? []
  if (channels.length === 0) return null
  return (
    <fieldset className="space-y-2">
      <legend className="text-sm font-medium">Channels</legend>
      <p className="text-xs text-ink-faint">None: every channel that takes this kind and severity.</p>
      <div className="grid gap-2 sm:grid-cols-2">
        {channels.map(({ id, name, type }) => (
          <CheckField
            key={id}
            label={name}
            hint={typeNames[type]}
            checked={chosen.includes(id)}
            onChange={(isOn) => onChange(isOn ? [...chosen, id] : chosen.filter((each) => each !== id))}
          />
        ))}
      </div>
    </fieldset>
  )
}
