import { after } from 'node:test'

let endings: (() => Promise<void>)[] | undefined

/** From now on what is given to `atEnd` ends when the function that this returns is called. */
export function startSharing(): () => Promise<void> {
  const shared = (endings = [] as (() => Promise<void>)[])
  return async () => {
    for (const ending of shared) await ending()
  }
}

/** What the files of a process share ends with the last of them; a file that runs without others ends it itself. */
export function atEnd(ending: () => Promise<void>): void {
  if (endings) endings.push(ending)
  else after(ending)
}
