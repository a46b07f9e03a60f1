import { useEffect, type KeyboardEvent, type RefObject } from 'react'

/** Arrows go from the box down the results and back; a slash leads to the box from anywhere. */
export function useResultKeys(box: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const onSlash = (event: globalThis.KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select')
      if (event.key !== '/' || isTyping || event.metaKey || event.ctrlKey || event.altKey) return
      event.preventDefault()
      box.current?.select()
    }
    addEventListener('keydown', onSlash)
    return () => removeEventListener('keydown', onSlash)
  }, [box])
  return (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-result]')]
    const at = links.findIndex((link) => link === document.activeElement)
    if (at < 0 && (step < 0 || document.activeElement !== box.current)) return
    event.preventDefault()
    const next = at + step
    if (next < 0) box.current?.focus()
    else links[next]?.focus()
  }
}
