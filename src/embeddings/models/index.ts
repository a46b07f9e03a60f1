import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Config } from '#kernel/config'
import { modelDirectory } from '../choose-runtime.ts'
import { createBuiltin, builtInFolder } from '../drivers/builtin.ts'
import { fingerprintOf, openModelFolder } from '../drivers/model-folder.ts'
import { createOnnx } from '../drivers/onnx.ts'
import { describeStaticModel } from '../drivers/static-model.ts'
import { messageOf, StartFault } from '#kernel/errors'
import { publishedModels, sizeOf } from './catalog.ts'
import { isWhole } from './download.ts'

export { publishedModels } from './catalog.ts'
export { pullModel, type PullProgress } from './pull.ts'
export { modelDirectory } from '../choose-runtime.ts'

export interface ListedModel {
  name: string
  state: 'built-in' | 'pulled' | 'can be pulled'
  bytes: number
  folder: string | null
}

export function listModels(config: Config): ListedModel[] {
  const builtIn: ListedModel = {
    name: describeStaticModel(builtInFolder).name,
    state: 'built-in',
    bytes: ['table.i8', 'scale.f32', 'vocab.txt'].reduce(
      (sum, file) => sum + statSync(join(builtInFolder, file)).size,
      0,
    ),
    folder: builtInFolder,
  }
  const published = publishedModels.map((model): ListedModel => {
    const folder = join(modelDirectory(config), model.name)
    const isHere = existsSync(folder)
    return {
      name: model.name,
      state: isHere ? 'pulled' : 'can be pulled',
      bytes: sizeOf(model),
      folder: isHere ? folder : null,
    }
  })
  return [builtIn, ...published]
}

export interface CheckedModel {
  name: string
  fingerprint: string
  /** Whether the checksums are those of a published model; null when the name is not known. */
  isAsPublished: boolean | null
}

/** Opens the folder as a start would, compares checksums where they are known, and embeds a sentence with it. */
export async function checkModel(folder: string): Promise<CheckedModel> {
  if (existsSync(join(folder, 'model.json'))) {
    await tryOut(createBuiltin(folder))
    return { ...describeStaticModel(folder), isAsPublished: true }
  }
  const model = openModelFolder(folder)
  const published = publishedModels.find(({ name }) => name === basename(model.folder))
  for (const file of published?.files ?? []) {
    if (!(await isWhole(join(folder, file.path), file)))
      throw new StartFault(
        `${join(folder, file.path)} is missing or not as it was published. Run signalbox models pull ${model.name}.`,
      )
  }
  await tryOut(createOnnx(model, 512))
  return { name: model.name, fingerprint: await fingerprintOf(model), isAsPublished: published ? true : null }
}

async function tryOut(driver: ReturnType<typeof createOnnx>): Promise<void> {
  try {
    await driver.embed(['The deployment failed and was rolled back.'])
  } catch (error) {
    throw new StartFault(`The model does not work: ${messageOf(error)}`, { cause: error })
  } finally {
    await driver.close()
  }
}
