import { TextFault } from './faults.ts'

/** The embedder knows a text by its index; the client reads the name of the field it sent. */
export async function namingField<T>(fieldOf: (index: number) => string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof TextFault ? error.renamed(() => fieldOf(error.index)) : error
  }
}
