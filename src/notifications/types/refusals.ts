import { hasReachedSome, type Outcome, type Unreached } from '../deliver/outcome.ts'

/** What Nodemailer keeps of an address that the mail server refused. */
export interface Refusal {
  recipient: string
  responseCode?: number
  response?: string
}

/** What the mail server said: of the message, and of the addresses that it refused. */
export interface Replies {
  response: string
  rejectedErrors: readonly Refusal[]
}

/**
 * Each address has a reply of its own. One that is refused for now is all that is left to do: the others have the
 * message and must not get it twice. `before`: what earlier tries left.
 */
export function outcomeOfReplies(
  { response, rejectedErrors }: Replies,
  before: Unreached | undefined,
  addresses: readonly string[],
): Outcome {
  const isFinal = ({ responseCode = 0 }: Refusal): boolean => responseCode >= 500
  const namesOf = (refusals: readonly Refusal[]): string[] => refusals.map(({ recipient }) => recipient)
  const unreached = {
    left: namesOf(rejectedErrors.filter((refusal) => !isFinal(refusal))),
    refused: [...(before?.refused ?? []), ...namesOf(rejectedErrors.filter(isFinal))],
  }
  const said = rejectedErrors.map((refusal) => `${refusal.recipient}: ${refusal.response ?? ''}`).join('\n')
  const result = {
    statusCode: codeOf(rejectedErrors[0]?.response ?? response),
    // Only admins read it, so it may name them.
    response: said === '' ? response : said,
    mayRetry: unreached.left.length > 0,
    waitMs: 0,
  }
  if (unreached.left.length + unreached.refused.length === 0) return { ok: true, error: null, ...result }
  return { ok: false, error: describe(unreached, addresses), ...result, unreached }
}

/** How many, not who: it is shown in the bell. */
function describe(unreached: Unreached, addresses: readonly string[]): string {
  const { left, refused } = unreached
  const count = left.length + refused.length
  const forNow =
    left.length === 0 ? '' : count === left.length ? ' for now' : `, ${left.length} of them for now`
  const others = hasReachedSome(unreached, addresses) ? ' The others got the message.' : ''
  return `The mail server refused ${count} of ${new Set(addresses).size} addresses${forNow}.${others}`
}

const codeOf = (response: string): number | null => {
  const code = /^\d{3}/.exec(response)?.[0]
  return code === undefined ? null : Number(code)
}
