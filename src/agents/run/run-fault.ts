import { LoopStop } from '#kernel/agent-loop'

/** Why the server ends a run without success. */
export class RunFault extends LoopStop {}

export const interrupted = (): RunFault =>
  new RunFault('interrupted', 'The server stopped while the run was in progress. Ask again.')

export const processEnded = (): RunFault =>
  new RunFault('process_ended', 'The process of the run ended before the run did. Ask again.')
