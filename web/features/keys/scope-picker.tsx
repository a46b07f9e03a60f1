import type { Scope } from '#access/contract'

const meanings: Record<Scope, string> = {
  gateway: 'Call models under /v1',
  embeddings: 'Embed and search text',
  events: 'Write events',
  read: 'Read the group’s data',
  sql: 'Run SQL through the proxy',
  agents: 'Start agents',
  admin: 'Manage members, keys and settings',
}

interface ScopePickerProps {
  allowed: readonly Scope[]
  value: Scope[]
  onChange: (scopes: Scope[]) => void
  error?: string | undefined
}

/** Offers the scopes the user has: a key never has more than its creator. */
export function ScopePicker({ allowed, value, onChange, error }: ScopePickerProps) {
  // A key created by a user with a higher role may have more scopes: they stay visible.
  const offered = (Object.keys(meanings) as Scope[]).filter(
    (scope) => allowed.includes(scope) || value.includes(scope),
  )
  const toggle = (scope: Scope) =>
    onChange(value.includes(scope) ? value.filter((each) => each !== scope) : [...value, scope])
  return (
    <fieldset aria-describedby={error === undefined ? undefined : 'scopes-error'}>
      <legend className="mb-1.5 text-sm font-medium">Scopes</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {offered.map((scope) => (
          <label
            key={scope}
            className="flex cursor-pointer items-start gap-2.5 rounded-lg border border-line px-3 py-2 transition-colors hover:border-line-strong has-checked:border-primary has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
          >
            <input
              type="checkbox"
              checked={value.includes(scope)}
              onChange={() => toggle(scope)}
              className="mt-0.5 size-4 accent-[var(--primary)] outline-none"
            />
            <span className="min-w-0 leading-snug">
              <span className="block font-mono text-sm font-medium">{scope}</span>
              <span className="block text-xs text-ink-soft">{meanings[scope]}</span>
            </span>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p id="scopes-error" className="mt-1.5 text-xs text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
