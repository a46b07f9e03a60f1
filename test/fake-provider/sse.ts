/** An event with a name, as Anthropic and the Responses API send it. */
export function namedEvent(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

/** An event without a name, as the Chat Completions API sends it. */
export function dataEvent(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

/** Google ends its lines with carriage return and line feed. */
export function googleEvent(data: unknown): string {
  return `data: ${JSON.stringify(data)}\r\n\r\n`
}

export function comment(text: string): string {
  return `: ${text}\n\n`
}

export const doneEvent = 'data: [DONE]\n\n'
