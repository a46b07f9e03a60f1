import { Fault, faults } from './fault.ts'

interface Cause {
  /** For docs/errors.md. */
  when: string
  text(seconds: number, about: string | number): string
}

/** Every reason for the status 429, except the limit of a provider, whose own words are kept. */
export const tooManyCauses = {
  requests: {
    when: 'more than 300 requests without identity from one address, then 10 per second; 2,000 and 50 for webhook deliveries',
    text: (seconds) => `Too many requests from this address. Try again in ${seconds} s.`,
  },
  unknownKeys: {
    when: 'more than 1,000 unknown API keys or access tokens from one address, then 10 per second',
    text: (seconds) => `Too many unknown API keys from this address. Try again in ${seconds} s.`,
  },
  passwords: {
    when: 'more than 10 wrong passwords for an account from one address within 5 minutes, 300 from one address, or 100 for an account within 15 minutes',
    text: () => 'Too many attempts. Wait a few minutes and try again.',
  },
  signIns: {
    when: 'more than 300 requests to sign in from one address in a minute',
    text: () => 'Too many attempts. Wait a minute and try again.',
  },
  ownerLinks: {
    when: 'too many wrong owner links from one address',
    text: (seconds) => `Too many wrong links. Try again in ${seconds} s.`,
  },
  openPlaces: {
    when: 'more open streams than `MAX_STREAMS_PER_KEY`, `MAX_STREAMS_PER_PERSON`, `MAX_STREAMS_PER_GROUP` or `MAX_STREAMS`, or more WebSocket connections than `MAX_WEBSOCKETS_PER_KEY` or `MAX_WEBSOCKETS`',
    text: (_seconds, about) => `${about}. Close one, or try again later.`,
  },
  socketMessages: {
    when: 'too many messages of one WebSocket connection waiting for a response',
    text: (_seconds, limit) =>
      `More than ${limit} messages wait for a response. Wait for one before you send the next.`,
  },
  uploads: {
    when: 'audio files of a group waiting for their model take half of `SPOOL_MAX_BYTES`',
    text: () =>
      'Too many uploads of your group wait for their model. Send "model" before "file", which needs no space here, or try again later.',
  },
  signatures: {
    when: 'more than 20 large webhook deliveries with a wrong signature from one address, then 1 per second',
    text: (seconds) => `Too many wrong signatures. Try again in ${seconds} s.`,
  },
  pageErrors: {
    when: 'too many errors from the pages of one error reporter',
    text: (seconds) => `Too many errors. Try again in ${seconds} s.`,
  },
  runs: {
    when: 'too many runs of agents of a group in progress',
    text: (_seconds, limit) => `Your group already has ${limit} runs in progress. Try again later.`,
  },
  approvals: {
    when: 'too many SQL statements of a group waiting for approval',
    text: (_seconds, limit) =>
      `Your group already has ${limit} statements waiting for approval. Approve or reject some first.`,
  },
} as const satisfies Record<string, Cause>

/** The fault for one of the causes; `seconds` becomes `Retry-After`, and 0 is left out. */
export function tooMany(
  cause: keyof typeof tooManyCauses,
  seconds: number,
  about: string | number = '',
): Fault {
  const { text }: Cause = tooManyCauses[cause]
  const headers = seconds > 0 ? { 'retry-after': String(seconds) } : {}
  return new Fault(faults.rateLimit, text(seconds, about), { headers })
}
