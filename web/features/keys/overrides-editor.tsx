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

/** Which provider key the calls of this key use, instead of the group's default. */
export function OverridesEditor({ groupId, overrides, onChange }: OverridesEditorProps) {
  const providers = useQuery(providersQuery(groupId))
  const choose = (provider: string, keyId: string) => onChange(withOverride(overrides, provider, keyId))
  const choices = overrideChoices(providers.data ?? [], overrides)
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-medium">Provider key overrides</legend>
      <p className="mt-0.5 mb-3 text-xs text-ink-faint">
        Calls with this key use the group’s default key of each provider, unless another one is chosen here.
      </p>
      {providers.isPending && <Skeleton className="h-9 w-full" />}
      {providers.data && choices.length === 0 && (
        <p className="text-sm text-ink-soft">No provider has a stored key yet.</p>
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
        <option value="">The provider’s default key</option>
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

/** Names cannot be shown: what is set is told by its id, and can be taken back. */
function Unlisted({ overrides, error, onClear, onRetry }: UnlistedProps) {
  const isRefused = error instanceof ApiError && error.status === 403
  return (
    <div className="space-y-3">
      {isRefused ? (
        <p className="text-sm text-ink-soft">
          You may not list the group’s provider keys, so none can be chosen here.
        </p>
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
              label={`Clear the override for ${choice.name}`}
              onClick={() => onClear(choice.provider)}
            />
          </div>
        </div>
      ))}
    </div>
  )
}
