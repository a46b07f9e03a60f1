import type { Person, Role, Scope } from '#kernel/auth'

/** What a part hands to the list of things that need attention. */

export const attentionSeverities = ['info', 'warning', 'error', 'critical'] as const
export type AttentionSeverity = (typeof attentionSeverities)[number]

/** One thing that somebody should deal with. */
export interface AttentionThing {
  /** Its name among several, such as `checkout`. */
  name: string
  /** What is the matter, in one line. */
  title: string
  detail: string
  /** Where it is dealt with, in the dashboard. Notifications of the same path are about the same thing. */
  path: string
  /** Null: not known. */
  since: Date | null
  /** Where it differs from that of the source. */
  severity?: AttentionSeverity
}

/** Things of one kind, which are shown as one line. */
export interface AttentionSource {
  /** A short word, such as `service_down`; part of the API. */
  readonly kind: string
  readonly severity: AttentionSeverity
  /** The scope that opens the page where it is dealt with. */
  readonly needs: Scope
  /** People who can deal with it, where the scope is not enough. */
  readonly roles?: readonly Role[]
  /** The line and the page for more than one. */
  several(things: readonly AttentionThing[]): { title: string; path: string }
  /** The things that need attention now, 200 at most. It is asked often: every query has an index. */
  find?(groupId: string): Promise<AttentionThing[]>
  /** The same, where it depends on who asks. */
  findFor?(groupId: string, person: Person): Promise<AttentionThing[]>
}
