import { invalidField, type FieldFault, type Reason } from '#kernel/errors'

/** The fields of a request that do not reach the model as the client sent them. */
export class Dropped extends Set<string> {
  /** Those that the chosen model cannot take, as the refusals that an operator may prefer. */
  readonly adapted: FieldFault[] = []

  /** Notes a setting that was left out, or is asked for in words, because the model cannot take it. */
  adapt(path: string, reason: Reason): void {
    this.add(path)
    this.adapted.push(invalidField(path, reason))
  }
}
