import { readSpans, type Span } from './inline.ts'

export function Spans({ text }: { text: string }) {
  return drawn(readSpans(text))
}

const drawn = (spans: Span[]) => spans.map((span, index) => <SpanView key={index} span={span} />)

function SpanView({ span }: { span: Span }) {
  if (span.kind === 'link') return <WebLink {...span} />
  if (span.kind === 'text') return span.text
  if (span.kind === 'bold') return <strong className="font-semibold">{drawn(span.spans)}</strong>
  if (span.kind === 'italic') return <em>{drawn(span.spans)}</em>
  return (
    <code className="rounded bg-sunken px-1 py-0.5 font-mono text-[0.85em] ring-1 ring-line ring-inset">
      {span.text}
    </code>
  )
}

function WebLink({ text, href }: { text: string; href: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer nofollow"
      className="text-accent underline underline-offset-2"
    >
      {text}
    </a>
  )
}
