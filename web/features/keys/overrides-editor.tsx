import { useId } from 'react'
import { Plus, Trash2 } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import type { OverrideRow } from './overrides.ts'

const knownProviders = ['anthropic', 'openai', 'gemini', 'perplexity', 'openrouter']

interface OverridesEditorProps {
  rows: OverrideRow[]
  onChange: (rows: OverrideRow[]) => void
  error?: string | undefined
}

/** Which provider key the calls of this key use, instead of the group's default. */
export function OverridesEditor({ rows, onChange, error }: OverridesEditorProps) {
  const list = useId()
  const change = (index: number, part: Partial<OverrideRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))
  return (
    <fieldset>
      <legend className="text-sm font-medium">Provider key overrides</legend>
      <p className="mt-0.5 mb-2.5 text-xs text-ink-faint">
        Calls with this key use the group’s default key of each provider, unless another one is named here.
      </p>
      <datalist id={list}>
        {knownProviders.map((provider) => (
          <option key={provider} value={provider} />
        ))}
      </datalist>
      <div className="space-y-2">
        {rows.map((row, index) => (
          <div key={index} className="flex gap-2">
            <Input
              aria-label={`Provider of override ${index + 1}`}
              placeholder="openai"
              list={list}
              className="max-w-32 font-mono"
              value={row.provider}
              onChange={(event) => change(index, { provider: event.target.value })}
            />
            <Input
              aria-label={`Provider key id of override ${index + 1}`}
              placeholder="id of the provider key"
              className="flex-1 font-mono"
              value={row.keyId}
              onChange={(event) => change(index, { keyId: event.target.value })}
            />
            <IconButton
              label={`Remove override ${index + 1}`}
              icon={Trash2}
              onClick={() => onChange(rows.filter((_, at) => at !== index))}
              className="size-9"
            />
          </div>
        ))}
        <Button size="small" icon={Plus} onClick={() => onChange([...rows, { provider: '', keyId: '' }])}>
          Add override
        </Button>
      </div>
      {error !== undefined && (
        <p role="alert" className="mt-1.5 text-xs text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
