import { lazy, Suspense } from 'react'
import { Textarea } from '../../../../ui/input.tsx'
import type { CodeEditorProps } from './code-editor.tsx'

const CodeEditor = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }))

/** The editor is larger than the page around it: until it is loaded, a plain field takes what is typed. */
export function StatementEditor(props: CodeEditorProps) {
  return (
    <div className="overflow-hidden rounded-lg border border-field bg-surface transition-colors focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-focus hover:border-ink-soft">
      <Suspense fallback={<PlainEditor {...props} />}>
        <CodeEditor {...props} />
      </Suspense>
    </div>
  )
}

function PlainEditor({ value, onChange, onRun }: CodeEditorProps) {
  return (
    <Textarea
      aria-label="Statement"
      spellCheck={false}
      autoCapitalize="off"
      className="block min-h-40 border-0 font-mono leading-relaxed"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        onRun()
      }}
    />
  )
}
