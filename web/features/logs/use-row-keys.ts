import { useEffect } from 'react'
import type { UsageLog } from '#usage/contract'

interface RowKeys {
  rows: readonly UsageLog[]
  openRequest: string | undefined
  onOpen: (requestId: string | undefined) => void
  showRow: (index: number) => void
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

const steps: Record<string, 1 | -1> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }

/** j and k, or the arrow keys, move between rows; with a record open, between records. */
export function useRowKeys({ rows, openRequest, onOpen, showRow }: RowKeys): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = steps[event.key]
      if (step === undefined || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target))
        return
      // An open dialog or menu handles the keyboard.
      if (document.querySelector('[role=dialog] form, [role=menu]') !== null) return
      const focused = document.activeElement?.getAttribute('data-row') ?? null
      const isArrow = event.key.startsWith('Arrow')
      // The arrows scroll the page unless a row is focused or open.
      if (isArrow && focused === null && openRequest === undefined) return
      const at = rows.findIndex((row) => row.request_id === openRequest || row.id === focused)
      const next = rows[at + step]
      if (!next) return
      event.preventDefault()
      showRow(at + step)
      if (openRequest !== undefined) onOpen(next.request_id)
      else focusRow(next.id)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [rows, openRequest, onOpen, showRow])
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
