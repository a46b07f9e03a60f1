import { readSettings, type Settings } from './settings.ts'

const place = 'signalbox.playground'

interface Kept {
  model: string | undefined
  settings: Settings
}

/** What this browser remembers of the last visit. */
export function readKept(): Kept {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? '{}') as { model?: unknown; settings?: unknown }
    return {
      model: typeof kept.model === 'string' ? kept.model : undefined,
      settings: readSettings(kept.settings),
    }
  } catch {
    return { model: undefined, settings: readSettings(undefined) }
  }
}

export function keep(part: Partial<Kept>): void {
  try {
    localStorage.setItem(place, JSON.stringify({ ...readKept(), ...part }))
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
