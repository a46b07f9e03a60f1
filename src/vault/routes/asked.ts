import type { IncomingHttpHeaders } from 'node:http'
import { notFound } from '#kernel/errors'
import type { ProviderDirectory } from '../deps.ts'

/** Where a browser is redirected after submitting a form. */
export const page = '/providers'

/** A browser that navigates or submits a form accepts HTML; scripts and clients do not. */
export function wantsPage({ headers }: { headers: IncomingHttpHeaders }): boolean {
  return (headers.accept ?? '').includes('text/html')
}

/** The provider's id for the one in the URL: an id, or a name of the specification. */
export function providerIn(providers: ProviderDirectory, groupId: string, word: string): string {
  const id = providers.resolveId(groupId, word)
  if (id === undefined) throw notFound('The provider')
  return id
}
