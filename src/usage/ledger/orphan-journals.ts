import { claimOrphanFolders, releaseFolder } from './folders.ts'
import { OrphanJournal, type OrphanJournalOptions } from './orphan-journal.ts'
import type { Batch, Source } from './source.ts'

export interface OrphanJournalsOptions extends Pick<OrphanJournalOptions, 'log' | 'interrupted'> {
  root: string
  /** Called when there are rows to copy. */
  onFound(): void
}

const scanEveryMs = 5_000

/** The journals of processes that have ended: claimed at the start and every few seconds, copied one by one. */
export class OrphanJournals implements Source {
  #options: OrphanJournalsOptions
  #journals: OrphanJournal[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(options: OrphanJournalsOptions) {
    this.#options = options
  }

  start(): void {
    this.#scan()
    this.#timer = setInterval(() => this.#scan(), scanEveryMs).unref()
  }

  /** Journals that were not copied completely are left for another process. */
  stop(): void {
    clearInterval(this.#timer)
    for (const { folder } of this.#journals) releaseFolder(folder)
  }

  get waitingBytes(): number {
    return this.#journals.reduce((sum, journal) => sum + journal.waitingBytes, 0)
  }

  async take(): Promise<Batch | undefined> {
    for (let [journal] = this.#journals; journal; [journal] = this.#journals) {
      const batch = await journal.take()
      if (batch) return batch
      await journal.remove()
      releaseFolder(journal.folder)
      this.#journals.shift()
    }
    return undefined
  }

  #scan(): void {
    const { root, log, interrupted, onFound } = this.#options
    try {
      const folders = claimOrphanFolders(root)
      if (folders.length === 0) return
      for (const folder of folders) this.#journals.push(new OrphanJournal({ folder, log, interrupted }))
      log.info({ folders: folders.length }, 'copying the usage journal of a process that has ended')
      onFound()
    } catch (error) {
      log.error({ error }, 'the usage journal folder could not be scanned for journals of ended processes')
    }
  }
}
