/** A call of a tool, as the model made it. */
export interface LoopCall {
  /** No other call of the conversation has it. */
  id: string
  name: string
  /** The arguments as they came. */
  text: string
  /** The same as JSON; undefined where they are none. */
  input: unknown
}

/** A tool as the loop sees it: in this process or another, with or without a person who decides. */
export interface LoopTool<Pending = never> {
  name: string
  description: string
  /** JSON Schema of the arguments. */
  parameters: object
  /** Resolves with what became of the call; what it rejects with ends the loop. */
  call(input: unknown, call: LoopCall): Promise<Outcome | Waits<Pending>>
}

export interface Outcome {
  status: 'done' | 'failed' | 'denied' | 'skipped'
  /** No tool has this name. */
  isUnknown?: boolean
  /** For people, and for the model where there is nothing else. */
  shown: string
  /** For the model, in the words of the platform. */
  told?: string
  /** For the model, marked as data that anybody may have written. */
  data?: unknown
  /** What the agent has seen by it. */
  links?: readonly { title: string; url: string }[]
}

/** The call has not run: a person is asked first. */
export interface Waits<Pending> {
  status: 'waits'
  pending: Pending
}
