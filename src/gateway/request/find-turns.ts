import { Fault, faults } from '#kernel/errors'
import type { Vault } from '#vault'
import type { Health } from '../routing/health.ts'
import { boundTo } from '../routing/portability.ts'
import { orderStops, type KeyedTarget } from '../routing/stops.ts'
import { Turns } from '../routing/turns.ts'
import { keysFor } from './ready-call.ts'
import type { Story } from './story.ts'

export interface TurnDeps {
  vault: Vault
  health: Health
}

const maxAttempts = 10

/** The turns of a request that may make several calls. Throws where no target has a key. */
export async function findTurns(deps: TurnDeps, story: Story): Promise<Turns> {
  const { plan, asked, log } = story
  const targets = await keyedTargets(deps, story)
  const keys = targets.reduce((sum, target) => sum + target.keys.length, 0)
  const isPooled = keys > targets.length
  if (isPooled && boundTo(asked) === 'key') pinKeys(story, targets)
  const { sessionKey } = log.entry
  const ordering = { health: deps.health, strategy: plan.strategy, body: asked.body, sessionKey }
  const attempts = isPooled && plan.route === null ? Math.min(maxAttempts, keys + 1) : plan.attempts
  return new Turns(orderStops(targets, ordering), attempts)
}

/** A target without a key is left out, unless that leaves none. */
async function keyedTargets(deps: TurnDeps, story: Story): Promise<KeyedTarget[]> {
  const found: KeyedTarget[] = []
  let missing: Fault | undefined
  for (const target of story.plan.targets) {
    const isTied = target.providerKeyId !== null
    const { provider } = target.route
    const isPinned = isTied || story.principal.key?.providerKeyOverrides[provider.id] !== undefined
    try {
      const keys = await keysFor(deps, story, target)
      found.push({ target, keys: isTied ? keys.slice(0, 1) : keys, isPinned })
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== faults.noProviderKey.code) throw error
      missing ??= error
    }
  }
  if (found.length === 0 && missing) throw missing
  return found
}

/** Files and stored responses belong to a key: the one that made the response, else the group's choice. */
function pinKeys({ previous }: Story, targets: KeyedTarget[]): void {
  for (const [index, { target, keys }] of targets.entries()) {
    const owner = keys.find(({ id }) => id === previous?.provider_key_id)
    targets[index] = { target, keys: owner ? [owner] : keys.slice(0, 1), isPinned: true }
  }
}
