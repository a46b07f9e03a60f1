import type { Secret } from '#kernel/log'
import { ownerLink } from '../owner-link.ts'

/** Opens the group of the demo; with the token also in a browser that is not the owner's yet. */
export function demoLink(url: string, groupId: string, token?: Secret): string {
  return token ? `${ownerLink(url, token)}&group_id=${groupId}` : `${url}/?group_id=${groupId}`
}
