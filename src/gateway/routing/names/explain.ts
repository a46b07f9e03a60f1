import { Fault } from '#kernel/errors'
import type { Vault } from '#vault'
import type { PlannedTarget, RequestFacts } from '../plan.ts'
import type { Explanation, RouteExplanation } from '../../route-contract.ts'
import { inOrder, judge, type JudgedTarget, type TargetDeps } from './fitting-targets.ts'
import type { RouteRow } from './route-store.ts'

export interface ExplainDeps extends TargetDeps {
  vault: Pick<Vault, 'candidates'>
  /** When the key may be asked for the model again; now, or a time that has passed, where it does not rest. */
  restsUntil(keyId: string, model: string): number
}

/** A target that fits, with the key that it would be called with. */
interface Called {
  target: PlannedTarget
  keyId: string | null
  restsUntil: number
  /** Why it cannot be called at all. */
  problem?: string
}

/** What a request with these facts would do now: the targets that it tries in order, then those left out. */
export async function explain(
  deps: ExplainDeps,
  groupId: string,
  row: RouteRow,
  facts: RequestFacts,
): Promise<RouteExplanation> {
  const judged = row.targets.map((target) => judge(deps, groupId, target, () => facts))
  const fitting = judged.flatMap(({ planned, reason }) => (planned && reason === undefined ? [planned] : []))
  // What depends on the conversation has no order to explain.
  const ordered =
    row.strategy === 'weighted' ? fitting : inOrder(deps, groupId, row.strategy, fitting, () => '')
  const called = await Promise.all(ordered.map((target) => withKey(deps, groupId, target)))
  // What rests goes last, and is still tried when all others failed.
  const tried = called
    .filter(({ problem }) => problem === undefined)
    .toSorted((a, b) => a.restsUntil - b.restsUntil)
  return {
    targets: [
      ...tried.map((each, index) => ({
        ...shown(each),
        ...whyTried(deps, groupId, row, each, tried, index === 0),
      })),
      ...called
        .filter(({ problem }) => problem !== undefined)
        .map((each) => ({ ...shown(each), decision: 'left_out' as const, reason: each.problem ?? '' })),
      ...judged.filter(({ reason }) => reason !== undefined).map(explainMisfit),
    ],
  }
}

/** The first of its keys that does not rest. */
async function withKey(
  { vault, restsUntil }: ExplainDeps,
  groupId: string,
  target: PlannedTarget,
): Promise<Called> {
  const { name, route, providerKeyId } = target
  try {
    const keys = await vault.candidates(groupId, route.provider, providerKeyId ?? undefined)
    const usable = providerKeyId === null ? keys : keys.slice(0, 1)
    const now = performance.now()
    const rests = usable.map(({ id }) => {
      const until = restsUntil(id, name)
      return { keyId: id, restsUntil: until > now ? until : 0 }
    })
    const [first = { keyId: null, restsUntil: 0 }] = rests.toSorted((a, b) => a.restsUntil - b.restsUntil)
    return { target, ...first }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { target, keyId: providerKeyId, restsUntil: 0, problem: error.message }
  }
}

const shown = ({ target: { model, route }, keyId }: Called) => ({
  model,
  provider: route.provider.id,
  provider_key_id: keyId,
})

function whyTried(
  deps: TargetDeps,
  groupId: string,
  { strategy }: RouteRow,
  { target, restsUntil }: Called,
  all: readonly Called[],
  isFirst: boolean,
): Pick<Explanation, 'decision' | 'reason'> {
  const decision = isFirst ? 'used' : 'fallback'
  if (restsUntil > 0) {
    const seconds = Math.max(1, Math.ceil((restsUntil - performance.now()) / 1000))
    return { decision, reason: `its key rests for ${seconds} s, so it is tried after the others` }
  }
  if (strategy === 'weighted') return { decision: 'used', reason: shareOf(target, all) }
  if (strategy === 'least_busy' && all.length > 1)
    return { decision: 'used', reason: 'used when it has the fewest requests under way' }
  if (strategy === 'cheapest')
    return {
      decision,
      reason: `${isFirst ? 'the cheapest' : 'tried next'}: ${costOf(deps, groupId, target)}`,
    }
  return { decision, reason: isFirst ? 'the first that fits' : 'tried when those before it failed' }
}

function shareOf({ weight }: PlannedTarget, all: readonly Called[]): string {
  const together = all.reduce((sum, { target, restsUntil }) => sum + (restsUntil > 0 ? 0 : target.weight), 0)
  return `gets ${Number(((100 * weight) / together).toFixed(1))} % of the conversations that fit`
}

function costOf({ listPrice }: TargetDeps, groupId: string, { route, name }: PlannedTarget): string {
  const price = listPrice(groupId, route.provider.id, name)
  if (!price || price.inputPrice === null || price.outputPrice === null) return 'it has no price'
  return `$${price.inputPrice} and $${price.outputPrice} for a million tokens in and out`
}

function explainMisfit({ target, planned, reason = '' }: JudgedTarget): Explanation {
  return {
    model: target.model,
    provider: planned?.route.provider.id ?? null,
    provider_key_id: target.provider_key_id ?? null,
    decision: 'left_out',
    reason,
  }
}
