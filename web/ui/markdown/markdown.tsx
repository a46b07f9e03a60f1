import { lazy, Suspense, useDeferredValue } from 'react'
import { loadWhenReachable } from '../../api/load-when-reachable.ts'

const load = async () => {
  const { MarkdownBlocks: blocks } = await loadWhenReachable(() => import('./markdown-blocks.tsx'))
  return { default: blocks }
}
const MarkdownBlocks = lazy(load)

/** Loads the parser before the first text is there. */
export const preloadMarkdown = (): void => void load().catch(() => undefined)

/**
 * Text that others wrote, as safe HTML. The parser and the sanitiser are loaded with the first text; until then it is
 * shown as it is written. A text that grows faster than it can be drawn skips steps instead of blocking the page.
 */
export function Markdown({ source }: { source: string }) {
  const shown = useDeferredValue(source)
  return (
    <Suspense fallback={<p className="leading-relaxed whitespace-pre-wrap">{shown}</p>}>
      <MarkdownBlocks source={shown} />
    </Suspense>
  )
}
