import { leaveFolder, takeLeftFolders } from './folders.ts'
import { LeftFolder, type LeftFolderOptions } from './left-folder.ts'
import type { Batch, Source } from './source.ts'

export interface TakeoverOptions extends Pick<LeftFolderOptions, 'log' | 'interrupted'> {
  root: string
  /** Something was found that wants to be copied. */
  found(): void
}

const lookEveryMs = 5_000

/** The journals of processes that are gone: found at the start and from then on, copied one after the other. */
export class Takeover implements Source {
  #options: TakeoverOptions
  #folders: LeftFolder[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(options: TakeoverOptions) {
    this.#options = options
  }

  start(): void {
    this.#look()
    this.#timer = setInterval(() => this.#look(), lookEveryMs).unref()
  }

  /** What was not copied to its end is left to whoever comes next. */
  stop(): void {
    clearInterval(this.#timer)
    for (const { folder } of this.#folders) leaveFolder(folder)
  }

  get waitingBytes(): number {
    return this.#folders.reduce((sum, folder) => sum + folder.waitingBytes, 0)
  }

  async take(): Promise<Batch | undefined> {
    for (let [folder] = this.#folders; folder; [folder] = this.#folders) {
      const batch = await folder.take()
      if (batch) return batch
      await folder.remove()
      leaveFolder(folder.folder)
      this.#folders.shift()
    }
    return undefined
  }

  #look(): void {
    const { root, log, interrupted, found } = this.#options
    try {
      const taken = takeLeftFolders(root)
      if (taken.length === 0) return
      for (const folder of taken) this.#folders.push(new LeftFolder({ folder, log, interrupted }))
      log.info({ folders: taken.length }, 'the usage journal of a process that is gone is being copied')
      found()
    } catch (error) {
      log.error({ error }, 'the folder of the usage journal could not be looked through')
    }
  }
}
