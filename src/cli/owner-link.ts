import type { Secret } from '#kernel/log'

/** Makes the browser that opens it the local owner. It contains the owner token: for the terminal, never for a log. */
export function ownerLink(url: string, token: Secret): string {
  return `${url}/?token=${token.reveal()}`
}
