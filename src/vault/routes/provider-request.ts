import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { invalidField, notFound } from '#kernel/errors'
import { prefersPage, type RouteDocs } from '#kernel/http'
import { Secret } from '#kernel/log'
import { shortestKey } from '../contract.ts'
import type { ProviderDirectory } from '../deps.ts'

/** Where a browser is redirected after submitting a form. */
export const page = '/providers'

export const providerParams = z.object({
  provider_id: z.string().meta({ description: 'The ID of the provider.', examples: ['openai'] }),
})

/** Browsers send forms, and are sent back to the page. */
export const formDocs = {
  bodyTypes: ['application/json', 'application/x-www-form-urlencoded'],
  response: { 303: { description: 'For browsers that ask for HTML: redirects to the page.' } },
} satisfies RouteDocs

export function wantsPage({ headers }: { headers: IncomingHttpHeaders }): boolean {
  return prefersPage(headers)
}

/** The ID for the word in the path: an ID, or a name from the specification. */
export function providerIn(providers: ProviderDirectory, groupId: string, word: string): string {
  const id = providers.resolveId(groupId, word)
  if (id === undefined) throw notFound('The provider')
  return id
}

/** Only custom providers take short keys; a short one of another provider is half of a key. */
export function keyFor(
  providers: ProviderDirectory,
  { group_id: groupId, provider_id: providerId }: { group_id: string; provider_id: string },
  value: string,
): Secret {
  const isCustom = providers.list(groupId).some(({ id, isCustom: own }) => id === providerId && own)
  if (!isCustom && value.length < shortestKey)
    throw invalidField('api_key', `must have at least ${shortestKey} characters: paste the whole key`)
  return new Secret(value)
}
