import type { IncomingHttpHeaders } from 'node:http'
import { notFound } from '#kernel/errors'
import type { ProviderDirectory } from '../deps.ts'

/** Where a browser goes after it sent a form. */
export const page = '/providers'

/** A browser that navigates or sends a form asks for HTML; scripts and clients do not. */
export function wantsPage({ headers }: { headers: IncomingHttpHeaders }): boolean {
  return (headers.accept ?? '').includes('text/html')
}

/** The id for what stands in the address: an id, or one of the specification's words. */
export function providerIn(providers: ProviderDirectory, groupId: string, word: string): string {
  const id = providers.resolveId(groupId, word)
  if (id === undefined) throw notFound('The provider')
  return id
}
