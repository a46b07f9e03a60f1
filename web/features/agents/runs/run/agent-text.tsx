import { ClampedText } from '../../../../ui/clamped-text.tsx'
import { Markdown } from '../../../../ui/markdown/markdown.tsx'

/** Markdown of longer texts takes too long to draw. */
export const maxMarkdown = 50_000

export function AgentText({ id, text }: { id: string; text: string }) {
  if (text.trim() === '') return null
  return (
    <div className="px-1">
      {text.length > maxMarkdown ? (
        <ClampedText id={id} text={text} what="Message" />
      ) : (
        <Markdown source={text} />
      )}
    </div>
  )
}
