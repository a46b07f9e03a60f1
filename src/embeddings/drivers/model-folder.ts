import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { messageOf, StartFault } from '#kernel/errors'
import { dimensions } from '../embedder.ts'

/** An ONNX model in a folder, as it is published: tokenizer.json, config.json, onnx/model….onnx. */
export interface ModelFolder {
  folder: string
  name: string
  modelFile: string
  tokenizerFile: string
  /** Trained with `search_query: ` and the like. */
  isPrefixed: boolean
}

const modelFiles = ['onnx/model_quantized.onnx', 'onnx/model.onnx', 'model_quantized.onnx', 'model.onnx']

const config = z.object({
  model_type: z.string().optional(),
  hidden_size: z.int().optional(),
  n_embd: z.int().optional(),
})

const tokenizer = z.object({
  model: z.object({ type: z.literal('WordPiece').optional(), vocab: z.record(z.string(), z.int()) }),
})

/** Says what is missing or wrong, before anything is started with it. */
export function openModelFolder(path: string): ModelFolder {
  const folder = resolve(path)
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new StartFault(
      `${folder} is not a folder. Fetch a model with signalbox models pull, or give its folder.`,
    )
  const modelFile = modelFiles.map((file) => join(folder, file)).find((file) => existsSync(file))
  if (modelFile === undefined)
    throw new StartFault(`${folder} has no model: one of ${modelFiles.join(', ')} is needed.`)
  const tokenizerFile = join(folder, 'tokenizer.json')
  readVocabulary(tokenizerFile)
  const settings = readConfig(join(folder, 'config.json'))
  const width = settings.hidden_size ?? settings.n_embd ?? dimensions
  if (width !== dimensions)
    throw new StartFault(`The model in ${folder} has ${width} dimensions; ${dimensions} are needed.`)
  const name = basename(folder)
  return {
    folder,
    name,
    modelFile,
    tokenizerFile,
    isPrefixed: isTrainedWithPrefixes(name) || /nomic/i.test(settings.model_type ?? ''),
  }
}

export const isTrainedWithPrefixes = (model: string): boolean => /nomic/i.test(model)

/** Tokens to ids, of a tokenizer.json with a WordPiece. */
export function readVocabulary(file: string): Map<string, number> {
  const read = readJson(file, tokenizer, 'a WordPiece vocabulary (model.vocab)')
  const vocabulary = new Map(Object.entries(read.model.vocab))
  const missing = ['[UNK]', '[CLS]', '[SEP]', '[PAD]'].filter((token) => !vocabulary.has(token))
  if (missing.length > 0) throw new StartFault(`${file} has no ${missing.join(', ')} in its vocabulary.`)
  return vocabulary
}

const readConfig = (file: string): z.infer<typeof config> =>
  existsSync(file) ? readJson(file, config, 'the settings of a model') : {}

function readJson<T extends z.ZodType>(file: string, shape: T, what: string): z.infer<T> {
  if (!existsSync(file))
    throw new StartFault(`${file} is missing. Fetch the whole model: signalbox models pull.`)
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    const reason =
      error instanceof z.ZodError ? z.prettifyError(error).replaceAll('\n', ' ') : messageOf(error)
    throw new StartFault(`${file} does not contain ${what}: ${reason}`, { cause: error })
  }
}

/** Of the weights and the vocabulary: other bytes, other vectors. */
export async function fingerprintOf(model: ModelFolder): Promise<string> {
  const hash = createHash('sha256')
  for (const file of [model.modelFile, model.tokenizerFile])
    await pipeline(createReadStream(file), hash, { end: false })
  return `${model.name}:${hash.digest('hex').slice(0, 16)}`
}
