import { useEffect, useRef } from 'react'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

/** Dialogs and menus handle the keyboard; the panel of an event leaves it to the page. */
const isElsewhere = (): boolean =>
  [...document.querySelectorAll('[role=dialog], [role=menu]')].some(
    (element) => element.querySelector('[data-event-panel]') === null,
  )

/** Runs the action of a key, unless text is being typed or a dialog is open. */
export function useConsoleKeys(actions: Readonly<Record<string, () => void>>): void {
  const current = useRef(actions)
  useEffect(() => {
    current.current = actions
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || isElsewhere()) return
      const action = Object.hasOwn(current.current, event.key) ? current.current[event.key] : undefined
      if (!action) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

const focusNow = (id: string): boolean => {
  const row = document.querySelector<HTMLElement>(`[data-row="${id}"]`)
  row?.focus({ preventScroll: true })
  return row !== null
}

/** The row may have to be rendered first. */
export function focusRow(id: string): void {
  if (!focusNow(id)) requestAnimationFrame(() => focusNow(id))
}

/** The event whose row has the focus. */
export const focusedEvent = (): string | undefined =>
  document.activeElement?.getAttribute('data-row') ?? undefined
