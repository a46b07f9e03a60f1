import type { GatewayCall } from '../read/session-costs.ts'

/** A response that a transcript counts. */
export interface CountedResponse {
  inputTokens: number
  outputTokens: number
  at: Date | null
}

/** An interrupted message is recorded with fewer output tokens than were metered, at about the same time. */
const sameMomentMs = 600_000

/**
 * The calls that no response of the transcript accounts for: titles, compactions, refused ones. Assistants do not
 * record our request ids, so a call is known by its tokens, and among equals by its time. The order of the calls stays.
 */
export function callsWithoutMessage(
  calls: readonly GatewayCall[],
  responses: readonly CountedResponse[],
): GatewayCall[] {
  // A request that failed left no response; one whose client disconnected may have left its beginning.
  const able = calls.filter(({ statusCode }) => statusCode < 400 || statusCode === 499)
  const exact = pair(able, responses, {
    ofCall: (call) => `${call.promptTokens}/${call.completionTokens}`,
    ofResponse: (response) => `${response.inputTokens}/${response.outputTokens}`,
  })
  const rest = pair(
    able.filter((call) => !exact.calls.has(call)),
    responses.filter((response) => !exact.responses.has(response)),
    {
      ofCall: (call) => String(call.promptTokens),
      ofResponse: (response) => String(response.inputTokens),
      within: sameMomentMs,
    },
  )
  return calls.filter((call) => !exact.calls.has(call) && !rest.calls.has(call))
}

interface Rule {
  ofCall(call: GatewayCall): string
  ofResponse(response: CountedResponse): string
  within?: number
}

interface Paired {
  calls: ReadonlySet<GatewayCall>
  responses: ReadonlySet<CountedResponse>
}

function pair(
  calls: readonly GatewayCall[],
  responses: readonly CountedResponse[],
  { ofCall, ofResponse, within = Number.POSITIVE_INFINITY }: Rule,
): Paired {
  const paired = { calls: new Set<GatewayCall>(), responses: new Set<CountedResponse>() }
  const callsBy = Map.groupBy(calls, ofCall)
  for (const [key, equal] of Map.groupBy(responses, ofResponse)) {
    const candidates = (callsBy.get(key) ?? []).toSorted((a, b) => a.endedAt.getTime() - b.endedAt.getTime())
    pairByTime(candidates, equal.toSorted(byTime), within, paired)
  }
  return paired
}

const timeOf = ({ at }: CountedResponse): number => at?.getTime() ?? 0
const byTime = (a: CountedResponse, b: CountedResponse): number => timeOf(a) - timeOf(b)

/** Both in the order of time: a call is passed over while the next one is nearer and enough are left. */
function pairByTime(
  calls: readonly GatewayCall[],
  responses: readonly CountedResponse[],
  within: number,
  paired: { calls: Set<GatewayCall>; responses: Set<CountedResponse> },
): void {
  let next = 0
  responses.forEach((response, index) => {
    const distance = (place: number): number =>
      Math.abs((calls[place]?.endedAt.getTime() ?? 0) - timeOf(response))
    const needed = responses.length - index
    while (calls.length - next > needed && distance(next + 1) <= distance(next)) next++
    const call = calls[next]
    if (!call || distance(next) > within) return
    paired.calls.add(call)
    paired.responses.add(response)
    next++
  })
}
