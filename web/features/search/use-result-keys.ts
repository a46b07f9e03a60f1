import { useEffect, type KeyboardEvent, type RefObject } from 'react'

/** Arrow keys move between the input and the results; a slash focuses the input from anywhere. */
export function useResultKeys(input: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const onSlash = (event: globalThis.KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select')
      if (event.key !== '/' || isTyping || event.metaKey || event.ctrlKey || event.altKey) return
      event.preventDefault()
      input.current?.select()
    }
    addEventListener('keydown', onSlash)
    return () => removeEventListener('keydown', onSlash)
  }, [input])
  return (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-result]')]
    const at = links.findIndex((link) => link === document.activeElement)
    if (at < 0 && (step < 0 || document.activeElement !== input.current)) return
    event.preventDefault()
    const next = at + step
    if (next < 0) input.current?.focus()
    else links[next]?.focus()
  }
}
