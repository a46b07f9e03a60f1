import { useEffect, type RefObject } from 'react'

const name = 'found'
const look = '::highlight(found) { background-color: color-mix(in srgb, var(--primary) 45%, transparent); }'
const maxMarks = 500

/**
 * Marks these words wherever they begin a word in the element. The browser draws the marks over the text: the document
 * itself, which may be rendered Markdown, does not change.
 */
export function useMarkedWords(element: RefObject<HTMLElement | null>, words: readonly string[]): void {
  const key = words.join('\n')
  useEffect(() => {
    const root = element.current
    if (!root || key === '' || !('highlights' in CSS)) return undefined
    const pattern = new RegExp(key.split('\n').map(patternOf).join('|'), 'giu')
    const mark = () => CSS.highlights.set(name, new Highlight(...rangesOf(root, pattern)))
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(look)
    document.adoptedStyleSheets.push(sheet)
    let frame = requestAnimationFrame(mark)
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(mark)
    })
    observer.observe(root, { childList: true, subtree: true, characterData: true })
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
      CSS.highlights.delete(name)
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
    }
  }, [element, key])
}

/** Words have letters, digits and underscores only: nothing that means something in a pattern. */
const patternOf = (word: string): string => `(?<![\\p{L}\\p{N}])${word}[\\p{L}\\p{N}]*`

function rangesOf(root: HTMLElement, pattern: RegExp): Range[] {
  const ranges: Range[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (walker.nextNode() && ranges.length < maxMarks) {
    const node = walker.currentNode
    for (const match of (node.nodeValue ?? '').matchAll(pattern)) {
      const range = new Range()
      range.setStart(node, match.index)
      range.setEnd(node, match.index + match[0].length)
      ranges.push(range)
    }
  }
  return ranges
}

/** The words of a query that can be marked: not the excluded ones, and not `or`. */
export function wordsOf(query: string): string[] {
  const wanted = query.replaceAll(/(^|\s)-("[^"]*"?|\S+)/g, ' ')
  const words = wanted.match(/[\p{L}\p{N}_]+/gu) ?? []
  return [...new Set(words.map((word) => word.toLowerCase()))].filter((word) => word !== 'or')
}
