import type { ReactNode } from 'react'
import { idOf, type ProviderDraft, type ProviderProblems } from './provider-draft.ts'
import { patternsInWords, readPrefixes } from './prefixes.ts'
import { TextField } from '../../ui/text-field.tsx'

interface ProviderFieldsProps {
  draft: ProviderDraft
  problems: ProviderProblems
  onChange: (part: Partial<ProviderDraft>) => void
  isNew: boolean
}

export function ProviderFields({ draft, problems, onChange, isNew }: ProviderFieldsProps) {
  const patterns = patternsInWords(readPrefixes(draft.prefixes))
  const text = (
    field: Exclude<keyof ProviderDraft, 'allow_private'>,
    label: string,
    hint: ReactNode,
    rest: { placeholder: string; mono?: boolean; autoFocus?: boolean; shown?: string },
  ) => (
    <TextField
      label={label}
      hint={hint}
      error={problems[field]}
      autoFocus={rest.autoFocus}
      autoComplete="off"
      spellCheck={false}
      maxLength={500}
      placeholder={rest.placeholder}
      className={rest.mono ? 'font-mono' : ''}
      disabled={field === 'id' && !isNew}
      value={rest.shown ?? draft[field]}
      onChange={(text) => onChange({ [field]: text })}
    />
  )
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        {text('name', 'Name', undefined, { placeholder: 'Model server', autoFocus: true })}
        {text('id', 'ID', 'Used in logs. It can’t be changed later.', {
          placeholder: 'model-server',
          mono: true,
          shown: idOf(draft),
        })}
      </div>
      {text('base_url', 'Base URL', 'Signalbox appends /chat/completions and /models.', {
        placeholder: 'https://models.example.com/v1',
        mono: true,
      })}
      {text(
        'prefixes',
        'Model name prefixes',
        patterns === ''
          ? 'One or more, separated by commas. The longest matching prefix wins.'
          : `Models named ${patterns} use this provider.`,
        { placeholder: 'llama-, qwen-', mono: true },
      )}
      {text('docs_url', 'Documentation URL (optional)', 'Where your team finds how to get a key.', {
        placeholder: 'https://wiki.example.com/models',
        mono: true,
      })}
      {isNew && <PrivateNetwork draft={draft} problems={problems} onChange={onChange} />}
    </>
  )
}

function PrivateNetwork({ draft, problems, onChange }: Omit<ProviderFieldsProps, 'isNew'>) {
  return (
    <label className="flex cursor-pointer items-start gap-2.5">
      <input
        type="checkbox"
        checked={draft.allow_private}
        onChange={(event) => onChange({ allow_private: event.target.checked })}
        className="mt-0.5 size-4 accent-[var(--primary)]"
      />
      <span className="text-sm">
        It is in a private network
        <span
          className={
            problems.allow_private === undefined
              ? 'block text-xs text-ink-faint'
              : 'block text-xs text-danger'
          }
        >
          {problems.allow_private ?? 'Requires UPSTREAM_PRIVATE=1 on the server.'}
        </span>
      </span>
    </label>
  )
}
