import { readSettings, type Settings } from './settings.ts'

const storageKey = 'signalbox.playground'

interface Stored {
  model: string | undefined
  settings: Settings
}

/** The model and settings of the last visit in this browser. */
export function readStored(): Stored {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as {
      model?: unknown
      settings?: unknown
    }
    return {
      model: typeof kept.model === 'string' ? kept.model : undefined,
      settings: readSettings(kept.settings),
    }
  } catch {
    return { model: undefined, settings: readSettings(undefined) }
  }
}

export function store(part: Partial<Stored>): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify({ ...readStored(), ...part }))
  } catch {
    // Without storage the choice lasts until the page is reloaded.
  }
}
