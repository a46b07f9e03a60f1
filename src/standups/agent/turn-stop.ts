/** Why a turn did not come to its end, for the people in the stand-up. */
export class TurnStop extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export const stoppedByPerson = (): TurnStop => new TurnStop('interrupted', 'The agent was stopped.')

export const serverStopped = (): TurnStop =>
  new TurnStop('interrupted', 'The server stopped in the middle of the response. Send a message to go on.')
