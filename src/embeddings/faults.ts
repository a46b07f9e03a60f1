import { Fault, faults, messageOf } from '#kernel/errors'
import { RuntimeDown } from './drivers/driver.ts'

/** One text is to blame; the caller names the field that it came from. */
export class TextFault extends Fault {
  readonly index: number

  constructor(kind: (typeof faults)[keyof typeof faults], message: string, index: number, cause?: unknown) {
    super(kind, message, { param: `texts[${index}]`, cause })
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
  return new TextFault(
    faults.provider,
    `Text ${index} could not be embedded. ${messageOf(error)}`,
    index,
    error,
  )
}
