import { Fault, FieldFault, faults, messageOf, type FaultKind } from '#kernel/errors'
import { RuntimeDown } from './drivers/driver.ts'
import { BadVector } from './vectors.ts'

/** The fault of one text; a route renames it to the field that the text came from. */
export class TextFault extends FieldFault {
  readonly index: number

  constructor(kind: FaultKind, index: number, reason: string, cause?: unknown) {
    super(kind, `texts[${index}]`, reason, { cause })
    this.index = index
  }
}

export function runtimeUnavailable(error: RuntimeDown): Fault {
  return new Fault(faults.unavailable, `${error.message} Texts cannot be embedded just now.`, {
    code: 'runtime_unavailable',
    headers: { 'retry-after': error.isBusy ? '2' : '5' },
    cause: error,
  })
}

export function queueFull(): Fault {
  return new Fault(
    faults.unavailable,
    'Too many texts are waiting to be embedded. Send them again in a moment, or fewer at a time.',
    { headers: { 'retry-after': '1' } },
  )
}

/** What went wrong with the text at this place. */
export function toFault(error: unknown, index: number): Fault {
  if (error instanceof Fault) return error
  if (error instanceof RuntimeDown) return runtimeUnavailable(error)
  if (error instanceof BadVector && error.isModelWrong)
    return new Fault(faults.provider, `Texts cannot be embedded. ${error.message}`, { cause: error })
  return new TextFault(faults.provider, index, `could not be embedded. ${messageOf(error)}`, error)
}
