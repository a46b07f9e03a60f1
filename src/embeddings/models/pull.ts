import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { EnvHttpProxyAgent, interceptors } from 'undici'
import { sizeOf, type PublishedModel } from './catalog.ts'
import { download, isWhole } from './download.ts'

export interface PullProgress {
  file: string
  done: number
  total: number
}

export interface PullOptions {
  model: PublishedModel
  /** The folder of all models. */
  directory: string
  /** Hugging Face, or a mirror with the same paths. */
  source: string
  onProgress(progress: PullProgress): void
}

/** Downloads what is missing and returns the folder, which gets its name only once every file in it is complete. */
export async function pullModel({ model, directory, source, onProgress }: PullOptions): Promise<string> {
  const folder = join(directory, model.name)
  const working = existsSync(folder) ? folder : `${folder}.part`
  const agent = new EnvHttpProxyAgent({ bodyTimeout: 60_000, headersTimeout: 60_000 })
  const dispatcher = agent.compose(interceptors.redirect({ maxRedirections: 5 }))
  const total = sizeOf(model)
  let before = 0
  try {
    for (const file of model.files) {
      const target = join(working, file.path)
      const report = (done: number): void => onProgress({ file: file.path, done: before + done, total })
      const url = `${source}/${model.location}/${file.path}`
      if (!(await isWhole(target, file)))
        await download({ url, target, file, dispatcher, onProgress: report })
      before += file.bytes
      report(0)
    }
  } finally {
    await agent.destroy()
  }
  if (working !== folder) renameSync(working, folder)
  return folder
}
