import { useEffect } from 'react'

/** Puts the count before the title of the page, whichever page sets it. Null: somebody else does. */
export function useTitleCount(count: number | null): void {
  useEffect(() => {
    if (count === null) return undefined
    const mark = () => {
      const bare = document.title.replace(/^\(\d+\+?\) /, '')
      const wanted = count === 0 ? bare : `(${countLabel(count)}) ${bare}`
      if (document.title !== wanted) document.title = wanted
    }
    mark()
    const observer = new MutationObserver(mark)
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [count])
}

export const countLabel = (count: number): string => (count > 99 ? '99+' : String(count))
