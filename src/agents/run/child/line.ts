import { createInterface } from 'node:readline'
import type { FromChild, Start, ToChild } from '../protocol.ts'

/** The connection to the server: one line, one message. */
export interface Line {
  start: Promise<Start>
  send(message: FromChild): Promise<void>
  /** Resolves when the server allows one more call of the model. */
  mayGoOn(): Promise<void>
}

export function openLine(onClosed: () => void): Line {
  const waiting: (() => void)[] = []
  let isStarted = (_start: Start): void => undefined
  const start = new Promise<Start>((resolve) => (isStarted = resolve))
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (text) => {
    const message = JSON.parse(text) as ToChild
    if (message.type === 'start') isStarted(message)
    else waiting.shift()?.()
  })
  lines.once('close', onClosed)

  /** Waits where the server is slow to read, so that nothing piles up here. */
  async function send(message: FromChild): Promise<void> {
    const line = `${JSON.stringify(message)}\n`
    if (process.stdout.write(line)) return
    await new Promise<void>((resolve) => process.stdout.once('drain', resolve))
  }

  return {
    start,
    send,
    async mayGoOn() {
      const allowed = new Promise<void>((resolve) => void waiting.push(resolve))
      await send({ type: 'next' })
      await allowed
    },
  }
}
