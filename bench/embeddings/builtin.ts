import { builtInFolder } from '../../src/embeddings/drivers/builtin.ts'
import { StaticModel } from '../../src/embeddings/drivers/static-model.ts'
import { sentence } from './sentences.ts'

/** Texts a second of processor time, in this thread: what one core does. */
export function measureBuiltin(rounds: number): number {
  const model = new StaticModel(builtInFolder)
  const texts = Array.from({ length: 2_000 }, (_, index) => sentence(index))
  model.embed(texts, 8_192)
  const speeds = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage()
    model.embed(texts, 8_192)
    const { user, system } = process.cpuUsage(before)
    return texts.length / ((user + system) / 1e6)
  })
  return speeds.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
}
