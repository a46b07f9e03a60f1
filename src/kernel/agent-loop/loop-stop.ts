/** Why an agent did not come to its end: a code for programs, a sentence for people. */
export class LoopStop extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
