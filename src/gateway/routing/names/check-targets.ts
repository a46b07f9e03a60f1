import { invalidField } from '#kernel/errors'
import type { Vault } from '#vault'
import type { Registry } from '../../catalog/registry.ts'
import type { RouteTarget } from '../../route-contract.ts'

export interface CheckDeps {
  registry: Registry
  vault: Pick<Vault, 'providerOfKey'>
}

/** Refuses targets that no request could use. A target is a model, never a route: there are no circles. */
export async function checkTargets(
  deps: CheckDeps,
  groupId: string,
  targets: readonly RouteTarget[],
): Promise<void> {
  for (const [index, target] of targets.entries())
    await checkTarget(deps, groupId, target, `targets.${index}`)
}

async function checkTarget(
  { registry, vault }: CheckDeps,
  groupId: string,
  { model, provider_key_id: keyId, when = {} }: RouteTarget,
  path: string,
): Promise<void> {
  const provider = registry.resolve(groupId, model)?.route.provider
  if (!provider) throw invalidField(`${path}.model`, 'is not a model of any provider')
  if (keyId && (await vault.providerOfKey(groupId, keyId)) !== provider.id)
    throw invalidField(
      `${path}.provider_key_id`,
      `must be the ID of a key of this group for ${provider.name}`,
    )
  const { min_input_tokens: least = 0, max_input_tokens: most = Infinity } = when
  if (least > most)
    throw invalidField(`${path}.when.min_input_tokens`, 'must not be larger than max_input_tokens')
}
