import type { Initiative } from '#initiatives/contract'

/** What the cards of an initiative's page need. */
export interface Place {
  groupId: string
  initiative: Initiative
  /** Viewers only read. */
  mayChange: boolean
}
