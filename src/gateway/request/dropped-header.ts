import type { Answering } from './client.ts'

/** A client that sends thousands of unknown fields must not get a header that nothing between us and it accepts. */
const maxNames = 40

/** Names in a header what the provider was not sent. */
export function nameDropped(reply: Pick<Answering, 'header'>, names: readonly string[]): void {
  if (names.length === 0) return
  const listed = names.slice(0, maxNames).join(', ')
  const more = names.length > maxNames ? `, and ${names.length - maxNames} more` : ''
  void reply.header('x-signalbox-dropped', listed + more)
}
