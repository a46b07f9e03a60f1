import { CopyButton } from './copy-button.tsx'
import { highlight, type Language, type Token } from './highlight.ts'

const colours: Record<Token['kind'], string> = {
  plain: '',
  word: 'text-[var(--syntax-word)]',
  text: 'text-[var(--syntax-text)]',
  name: 'text-[var(--syntax-name)]',
  note: 'text-ink-faint',
}

interface CodeBlockProps {
  source: string
  /** Without one the text is left uncoloured. */
  language?: Language | undefined
  /** What it is called, for the copy button and screen readers. */
  what: string
}

export function CodeBlock({ source, language, what }: CodeBlockProps) {
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-sunken">
      <div className="flex items-center justify-between border-b border-line py-0.5 pr-1 pl-4">
        <span className="text-xs text-ink-faint">{what}</span>
        <CopyButton text={source} what={what} />
      </div>
      <pre
        // Focusable, so that the keyboard can scroll a long line into view.
        tabIndex={0}
        aria-label={what}
        className="overflow-x-auto px-4 py-3.5 font-mono text-xs leading-relaxed -outline-offset-2"
      >
        <code>{language === undefined ? source : <Highlighted source={source} language={language} />}</code>
      </pre>
    </div>
  )
}

/** Colouring a text of a megabyte would hold up the page. */
const maxHighlighted = 50_000

export function Highlighted({ source, language }: { source: string; language: Language }) {
  if (source.length > maxHighlighted) return source
  return highlight(source, language).map((token, index) => (
    <span key={index} className={colours[token.kind]}>
      {token.text}
    </span>
  ))
}
