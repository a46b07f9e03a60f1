/** Why a run ends without success: a code for programs, a sentence for people. */
export class RunFault extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export const interrupted = (): RunFault =>
  new RunFault('interrupted', 'The server stopped while the run was in progress. Ask again.')

export const processEnded = (): RunFault =>
  new RunFault('process_ended', 'The process of the run ended before the run did. Ask again.')
