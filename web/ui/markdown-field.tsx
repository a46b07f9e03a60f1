import { useState } from 'react'
import { Field } from './field.tsx'
import { Textarea } from './input.tsx'
import { Markdown } from './markdown/markdown.tsx'
import { Segmented } from './segmented.tsx'

interface MarkdownFieldProps {
  label: string
  value: string
  error?: string | undefined
  onChange: (value: string) => void
}

/** Markdown to write, with a preview of how readers will see it. */
export function MarkdownField({ label, value, error, onChange }: MarkdownFieldProps) {
  const [view, setView] = useState<'write' | 'preview'>('write')
  return (
    // The label begins lower, so that the choice ends on its line.
    <div className="relative pt-4">
      <div className="absolute top-0 right-0">
        <Segmented
          label={`View of ${label.toLowerCase()}`}
          value={view}
          onChange={setView}
          choices={[
            { id: 'write', label: 'Write' },
            { id: 'preview', label: 'Preview' },
          ]}
        />
      </div>
      {view === 'write' ? (
        <Field label={label} hint="Markdown" error={error}>
          {(ids) => (
            <Textarea
              {...ids}
              maxLength={100_000}
              className="max-h-96 min-h-40 font-mono"
              value={value}
              onChange={(event) => onChange(event.target.value)}
            />
          )}
        </Field>
      ) : (
        <>
          <p className="mb-1.5 text-sm font-medium">{label}</p>
          <div
            aria-label={`Preview of ${label.toLowerCase()}`}
            role="region"
            className="min-h-40 rounded-lg border border-line px-4 py-3"
          >
            {value.trim() === '' ? (
              <p className="text-sm text-ink-faint">Nothing to preview yet.</p>
            ) : (
              <Markdown source={value} />
            )}
          </div>
        </>
      )}
    </div>
  )
}
