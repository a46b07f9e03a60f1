import { withSeverity } from './console-filter.ts'
import { copyPermalink } from './copy-permalink.ts'
import { severitiesByUrgency } from './event-words.ts'
import { eventsOf } from './rows.ts'
import type { ConsoleContext } from './use-console.ts'
import { focusedEvent, focusRow, useConsoleKeys } from './use-console-keys.ts'

/** The keyboard of the page; the sheet behind `?` lists it. */
export function useEventKeys(context: ConsoleContext, showSheet: () => void): void {
  const { at, list, pause, searchField, onFilter, goToNewest } = context
  const chosenId = () => at.event ?? focusedEvent()
  const chosen = () => eventsOf(list.get().rows).find(({ id }) => id === chosenId())
  const filterBy = (isExcluded: boolean) => {
    const event = chosen()
    if (event)
      onFilter(event.service === null ? 'source' : 'service', event.service ?? event.source, isExcluded)
  }
  const withChosen = (act: (id: string) => void) => () => {
    const id = chosenId()
    if (id !== undefined) act(id)
  }
  const digits = severitiesByUrgency.map((severity, index) => [
    String(index + 1),
    () => at.setFilter(withSeverity(at.filter, severity)),
  ])
  useConsoleKeys({
    '/': () => searchField.current?.focus(),
    j: () => step(context, 1),
    k: () => step(context, -1),
    p: () => (pause.isPaused ? goToNewest() : pause.pause()),
    f: goToNewest,
    G: goToNewest,
    i: () => filterBy(false),
    x: () => filterBy(true),
    c: withChosen(copyPermalink),
    v: withChosen(at.showAround),
    '?': showSheet,
    '0': () => at.setFilter(withSeverity(at.filter, undefined)),
    ...(Object.fromEntries(digits) as Record<string, () => void>),
  })
}

/** To the next row, or with a record open to the next record. */
function step({ at, list, pause, showRow }: ConsoleContext, by: 1 | -1): void {
  const { rows } = list.get()
  const chosen = at.event ?? focusedEvent()
  let to = rows.findIndex(({ key }) => key === chosen) + by
  // Gaps are stepped over.
  while (rows[to]?.kind === 'gap') to += by
  const row = rows[to]
  if (!row) return
  pause.pause()
  showRow.current(to)
  if (at.event === undefined) focusRow(row.key)
  else at.openEvent(row.key)
}
