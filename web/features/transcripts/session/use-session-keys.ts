import type { RefObject } from 'react'
import { useKeys } from '../../../ui/use-keys.ts'
import type { Shown } from '../transcripts-address.ts'
import type { MessageList } from './message-list.ts'
import { isPrompt, rowsOf } from './rows.ts'
import type { ListHandle } from './transcript-list.tsx'

interface SessionKeysInput {
  list: MessageList
  handle: RefObject<ListHandle | null>
  searchField: RefObject<HTMLInputElement | null>
  onNewest: () => void
  onHit: (by: 1 | -1) => void
  onShown: (show: Shown | undefined) => void
}

/** The keyboard of the page; the sheet behind `?` lists it. */
export function useSessionKeys(input: SessionKeysInput): void {
  const { list, handle, searchField, onNewest, onHit, onShown } = input
  useKeys({
    j: () => stepPrompt(list, handle.current, 1),
    k: () => void stepUp(list, handle.current),
    G: onNewest,
    n: () => onHit(1),
    N: () => onHit(-1),
    '/': () => searchField.current?.focus(),
    '0': () => onShown(undefined),
    '1': () => onShown('prompts'),
    '2': () => onShown('tools'),
    '3': () => onShown('errors'),
  })
}

/** Whether there was another prompt in that direction. */
function stepPrompt(list: MessageList, handle: ListHandle | null, by: 1 | -1): boolean {
  const { messages, older } = list.get()
  const rows = rowsOf(messages, older !== null)
  const from = handle?.firstVisible() ?? 0
  const to =
    by === 1
      ? rows.findIndex((row, index) => index > from && isPrompt(row))
      : rows.findLastIndex((row, index) => index < from && isPrompt(row))
  if (to >= 0) handle?.show(to)
  return to >= 0
}

/** A long turn may fill several pages. */
const maxPages = 10

async function stepUp(list: MessageList, handle: ListHandle | null): Promise<void> {
  for (let page = 0; page < maxPages; page++) {
    if (stepPrompt(list, handle, -1) || list.get().older === null) return
    await list.loadOlder()
    // The rows of the page have to be in the list before one of them can be shown.
    await new Promise(requestAnimationFrame)
  }
}
