import { useEffect, useRef } from 'react'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

/** Dialogs and menus handle the keyboard, except those that contain an element of the page's own. */
const isElsewhere = (own: string | undefined): boolean =>
  [...document.querySelectorAll('[role=dialog], [role=menu]')].some(
    (element) => own === undefined || element.querySelector(own) === null,
  )

/**
 * Runs the action of a key, unless text is being typed or a dialog is open. `own` selects an element whose dialog
 * leaves the keyboard to the page.
 */
export function useKeys(actions: Readonly<Record<string, () => void>>, own?: string): void {
  const current = useRef(actions)
  useEffect(() => {
    current.current = actions
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || isElsewhere(own)) return
      const action = Object.hasOwn(current.current, event.key) ? current.current[event.key] : undefined
      if (!action) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [own])
}
