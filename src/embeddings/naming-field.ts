import { Fault } from '#kernel/errors'
import { TextFault } from './faults.ts'

/** The embedder knows a text by its index; the caller wants to read the field that they sent. */
export async function namingField<T>(fieldOf: (index: number) => string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TextFault)) throw error
    const field = fieldOf(error.index)
    const message = error.message.replace(`Text ${error.index} `, `"${field}" `)
    throw new Fault(error, message, { param: field, cause: error.cause })
  }
}
