import { useId } from 'react'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { ApiError } from '../../api/client.ts'
import { IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/input.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { providersQuery } from '../../api/providers.ts'
import {
  bareChoices,
  overrideChoices,
  withOverride,
  type OverrideChoice,
  type Overrides,
} from './overrides.ts'

interface OverridesEditorProps {
  groupId: string
  overrides: Overrides
  onChange: (overrides: Overrides) => void
}

/** Which provider keys this key uses instead of the group's defaults. */
export function OverridesEditor({ groupId, overrides, onChange }: OverridesEditorProps) {
  const providers = useQuery(providersQuery(groupId))
  const choose = (provider: string, keyId: string) => onChange(withOverride(overrides, provider, keyId))
  const choices = overrideChoices(providers.data ?? [], overrides)
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-medium">Provider key overrides</legend>
      <p className="mt-0.5 mb-3 text-xs text-ink-faint">
        Requests with this key use each provider’s default key, unless you choose another one here.
      </p>
      {providers.isPending && <Skeleton className="h-9 w-full" />}
      {providers.data && choices.length === 0 && (
        <p className="text-sm text-ink-soft">No provider keys yet.</p>
      )}
      {providers.data && (
        <div className="space-y-3">
          {choices.map((choice) => (
            <OverrideSelect key={choice.provider} choice={choice} onChoose={choose} />
          ))}
        </div>
      )}
      {providers.error && (
        <Unlisted
          overrides={overrides}
          error={providers.error}
          onClear={(provider) => choose(provider, '')}
          onRetry={() => providers.refetch()}
        />
      )}
    </fieldset>
  )
}

const rowClass = 'grid gap-x-3 gap-y-1 sm:grid-cols-[8rem_minmax(0,1fr)] sm:items-center'

interface OverrideSelectProps {
  choice: OverrideChoice
  onChoose: (provider: string, keyId: string) => void
}

function OverrideSelect({ choice, onChoose }: OverrideSelectProps) {
  const id = useId()
  return (
    <div className={rowClass}>
      <label htmlFor={id} className="truncate text-sm text-ink-soft" title={choice.name}>
        {choice.name}
      </label>
      <Select
        id={id}
        {...(choice.warning === undefined ? {} : { 'aria-describedby': `${id}-text` })}
        value={choice.value}
        onChange={(event) => onChoose(choice.provider, event.target.value)}
      >
        <option value="">Default key</option>
        {choice.options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.label}
          </option>
        ))}
      </Select>
      {choice.warning !== undefined && (
        <p id={`${id}-text`} className="text-xs text-danger sm:col-start-2">
          {choice.warning}
        </p>
      )}
    </div>
  )
}

interface UnlistedProps {
  overrides: Overrides
  error: Error
  onClear: (provider: string) => void
  onRetry: () => unknown
}

/** Without the names, overrides are shown by their id and can be cleared. */
function Unlisted({ overrides, error, onClear, onRetry }: UnlistedProps) {
  const isRefused = error instanceof ApiError && error.status === 403
  return (
    <div className="space-y-3">
      {isRefused ? (
        <p className="text-sm text-ink-soft">You need the admin role to choose provider keys.</p>
      ) : (
        <FailureNotice error={error} onRetry={onRetry} />
      )}
      {bareChoices(overrides).map((choice) => (
        <div key={choice.provider} className={rowClass}>
          <span className="truncate text-sm text-ink-soft" title={choice.name}>
            {choice.name}
          </span>
          <div className="flex items-center gap-2">
            <code className="min-w-0 flex-1 font-mono text-xs [overflow-wrap:anywhere]">{choice.value}</code>
            <IconButton
              icon={X}
              label={`Clear override for ${choice.name}`}
              onClick={() => onClear(choice.provider)}
            />
          </div>
        </div>
      ))}
    </div>
  )
}
