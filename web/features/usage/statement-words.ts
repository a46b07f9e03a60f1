import type { Reason } from '#links/contract'

/** Why the gateway has a request that no transcript shows. */
export const reasonNames: Readonly<Record<Reason, { name: string; text: string }>> = {
  side_calls: {
    name: 'Side calls',
    text: 'Of sessions in the archive, with no message of their own: titles, compactions, retries.',
  },
  failed: {
    name: 'Failed or abandoned',
    text: 'Of sessions in the archive: refused, failed, or the client disconnected.',
  },
  no_transcript: {
    name: 'Sessions without a transcript',
    text: 'No watcher runs on the machine, or it has not sent the session yet.',
  },
  no_session: { name: 'Without a session', text: 'Programs, scripts and the playground.' },
  own_work: { name: 'Signalbox itself', text: 'Runs of agents and stand-ups.' },
}

/** Not from the contract, which would bring its schemas with it. */
export const reasons = Object.keys(reasonNames) as Reason[]
