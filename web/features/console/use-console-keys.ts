import { useKeys } from '../../ui/use-keys.ts'

/** The keys work while the panel of an event is open. */
export const useConsoleKeys = (actions: Readonly<Record<string, () => void>>): void =>
  useKeys(actions, '[data-event-panel]')

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
