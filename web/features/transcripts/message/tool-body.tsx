import type { TranscriptMessage } from '#transcripts/contract'
import { CodeBlock } from '../../../ui/code-block.tsx'
import type { FileEdit } from '../edits/file-edits.ts'
import { ClampedText } from '../../../ui/clamped-text.tsx'
import { CutNote } from './cut-note.tsx'
import { DiffView } from './diff-view.tsx'
import { MessageImage } from './message-image.tsx'
import { toolCommand } from '../../../ui/tool-summary.ts'

/** What the tool was given: an edit as a diff, a command as such, anything else as JSON. */
export function CallInput({ call, edits }: { call: TranscriptMessage; edits: readonly FileEdit[] }) {
  if (edits.length > 0)
    return edits.map((edit, index) => <DiffView key={index} id={`${call.id} ${index}`} edit={edit} />)
  const input = call.tool_input ?? call.content
  const command = toolCommand(input)
  if (command !== null && command.length < 10_000)
    return <CodeBlock source={command} language="bash" what={descriptionOf(input) ?? 'command'} />
  if (input === null || input === undefined || input === '') return null
  const text = typeof input === 'string' ? input : JSON.stringify(input, null, 2)
  if (text === '{}') return null
  return <ClampedText id={`${call.id} input`} text={text} what="Input" />
}

function descriptionOf(input: unknown): string | null {
  const description = (input as { description?: unknown } | null)?.description
  return typeof description === 'string' && description.length < 200 ? description : null
}

export function ToolResult({ result }: { result: TranscriptMessage }) {
  if (result.image) return <MessageImage message={result} />
  const text = result.content ?? ''
  const isLine = text.length < 120 && !text.trim().includes('\n') && !result.is_error
  return (
    <>
      {isLine ? (
        <p className="font-mono text-xs [overflow-wrap:anywhere] text-ink-faint">
          {text.trim() || 'No output'}
        </p>
      ) : (
        <ClampedText id={result.id} text={text} what="Result" tone={result.is_error ? 'error' : 'plain'} />
      )}
      {result.cut && <CutNote />}
    </>
  )
}
