import { table, UsageError, write, type Command, type CommandArguments } from '#kernel/command'
import { loadConfig } from '#kernel/config'
import { hasOnnxRuntime, installOnnxRuntime } from '../drivers/onnx.ts'
import {
  checkModel,
  listModels,
  modelDirectory,
  publishedModels,
  pullModel,
  type PullProgress,
} from '../models/index.ts'

export const command: Command = {
  summary: 'Download, list and check embedding models',
  usage: [
    'list [--json]',
    'pull [NAME] [--json]',
    'check FOLDER [--json]',
    '(a pulled model is used with RUNTIME=builtin, any other folder when EMBEDDING_MODEL names it)',
  ],
  options: {},
  async run(given) {
    const [action, word] = given.words
    if (action === 'list') return list(given)
    if (action === 'pull') return pull(given, word)
    if (action === 'check' && word) return check(given, word)
    throw new UsageError('Use list, pull or check FOLDER.')
  },
}

async function list({ print }: CommandArguments): Promise<number> {
  const models = listModels(loadConfig())
  const rows = models.map(({ name, state, bytes, folder }) => [name, state, megabytes(bytes), folder])
  print(table(['NAME', 'STATE', 'SIZE', 'FOLDER'], rows), models)
  return 0
}

async function pull({ print, flags }: CommandArguments, name?: string): Promise<number> {
  const config = loadConfig()
  const model = publishedModels.find((each) => name === undefined || each.name === name)
  if (!model)
    throw new UsageError(
      `Unknown model "${name}". Available: ${publishedModels.map((each) => each.name).join(', ')}.`,
    )
  const folder = await pullModel({
    model,
    directory: modelDirectory(config),
    source: config.MODEL_SOURCE_URL,
    onProgress: flags['json'] === true ? () => undefined : progressWriter(),
  })
  const missing = hasOnnxRuntime() ? '' : ` It needs a package that is not installed: ${installOnnxRuntime}`
  print(`${model.name} (${model.licence}) is in ${folder}. Start with RUNTIME=builtin to use it.${missing}`, {
    name: model.name,
    folder,
    needs: missing === '' ? null : installOnnxRuntime,
  })
  return 0
}

async function check({ print }: CommandArguments, folder: string): Promise<number> {
  const found = await checkModel(folder)
  const known =
    found.isAsPublished === null
      ? 'no published checksums are known'
      : 'its files match the published checksums'
  print(`${found.name} works, ${known}. Fingerprint ${found.fingerprint}.`, found)
  return 0
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** A bar on a terminal; elsewhere one line per ten percent. */
function progressWriter(): (progress: PullProgress) => void {
  let lastTenth = -1
  return ({ file, done, total }) => {
    const share = total === 0 ? 1 : done / total
    if (process.stdout.isTTY) {
      const bar = '█'.repeat(Math.floor(share * 30)).padEnd(30, '░')
      const end = done >= total ? '\n' : ''
      process.stdout.write(
        `\r${bar} ${Math.floor(share * 100)} %  ${megabytes(done)}  ${file.padEnd(30)}${end}`,
      )
      return
    }
    const tenth = Math.floor(share * 10)
    if (tenth === lastTenth) return
    lastTenth = tenth
    write(`${tenth * 10} % of ${megabytes(total)}`)
  }
}
