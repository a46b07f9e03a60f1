import { WordPiece } from '../../src/embeddings/wordpiece.ts'
import { makeTargets, firstRows } from './targets.ts'
import type { Teacher } from './teacher.ts'
import { train, type Training } from './train.ts'
import { writeModel } from './write-model.ts'

export interface Distillation {
  teachers: readonly Teacher[]
  sentences: readonly string[]
  vocabulary: readonly string[]
  name: string
  folder: string
  training: Training
}

const maxTokens = 256

/** Teaches a table of word vectors what whole transformers say about sentences, and writes it as a model folder. */
export async function distill(given: Distillation): Promise<void> {
  const width = given.teachers.reduce((sum, teacher) => sum + teacher.width, 0)
  if (width !== 768)
    throw new Error(
      `The teachers together give ${width} numbers; 768 are needed (two of 384, or one of 768).`,
    )
  const tokenizer = new WordPiece(new Map(given.vocabulary.map((token, row) => [token, row])))
  const encoded = given.sentences.map((sentence) => tokenizer.encode(sentence, maxTokens).ids)
  const { sentences, tokens } = await makeTargets(given.teachers, given.sentences, given.vocabulary)
  const table = firstRows(tokens, encoded)
  train(table, encoded, sentences, given.training)
  writeModel(given.folder, given.name, table, given.vocabulary)
}
