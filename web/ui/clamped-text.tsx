import { clsx } from 'clsx'
import { Button } from './button.tsx'
import { countText } from './quantity.ts'
import { useFold } from './fold-state.ts'

const maxLines = 16
const maxShort = 2_000
/** More than this at once holds up the page. */
const maxWhole = 200_000

interface ClampedTextProps {
  /** Names the text among those that can be unfolded. */
  id: string
  text: string
  what: string
  tone?: 'plain' | 'error'
  /** Sentences, which wrap; anything else keeps its lines and scrolls. */
  isProse?: boolean
}

/** Output of a tool and other plain text: its beginning, and the rest on request. */
export function ClampedText({ id, text, what, tone = 'plain', isProse = false }: ClampedTextProps) {
  const [isWhole, toggle] = useFold(`text ${id}`, false)
  const clean = withoutColours(text)
  const short = beginningOf(clean)
  const shown = isWhole ? clean.slice(0, maxWhole) : short
  return (
    <div
      className={clsx(
        'overflow-hidden rounded-lg border font-mono text-xs leading-relaxed',
        tone === 'error'
          ? 'border-danger/25 bg-danger-soft text-danger'
          : 'border-line bg-sunken text-ink-soft',
      )}
    >
      <pre
        tabIndex={0}
        aria-label={what}
        className={clsx(
          'overflow-x-auto px-3 py-2 -outline-offset-2',
          isProse ? '[overflow-wrap:anywhere] whitespace-pre-wrap' : 'whitespace-pre',
        )}
      >
        {shown}
        {!isWhole && short.length < clean.length && '\n…'}
      </pre>
      {clean.length > maxWhole && isWhole && (
        <p className="border-t border-line px-3 py-1.5 font-sans text-ink-faint">
          The first {countText(maxWhole)} of {countText(clean.length)} characters. The export has all of them.
        </p>
      )}
      {short.length < clean.length && (
        <Button
          look="quiet"
          size="small"
          className="w-full rounded-none! border-t! border-t-line! font-sans"
          onClick={toggle}
        >
          {isWhole ? 'Show less' : `Show all ${countText(clean.split('\n').length)} lines`}
        </Button>
      )}
    </div>
  )
}

function beginningOf(text: string): string {
  const lines = text.split('\n', maxLines + 1)
  const beginning = lines.length > maxLines ? lines.slice(0, maxLines).join('\n') : text
  // One line more is not worth a button.
  return beginning.slice(0, maxShort).trimEnd() === text.trimEnd() ? text : beginning.slice(0, maxShort)
}

/** Terminals colour their output with escape sequences. */
// oxlint-disable-next-line no-control-regex
const withoutColours = (text: string): string => text.replaceAll(/\u001B\[[0-9;?]*[A-Za-z]/g, '')
