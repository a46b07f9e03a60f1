import type { NotificationSeverity, NotificationState } from '../contract.ts'
import type { NotificationRow } from '../notification-store.ts'
import type { Unreached } from './outcome.ts'

/** One notification as messages show it. */
export interface Item {
  id: string
  groupId: string
  alertId: string | null
  kind: string
  severity: NotificationSeverity
  state: NotificationState
  title: string
  text: string
  url: string
  key: string
  at: Date
  data: Record<string, unknown>
}

/** What a delivery sends: one item, or several where the type of the channel can show them. */
export interface Message {
  deliveryId: string
  items: readonly [Item, ...Item[]]
  /** Of a mail that some have already: only these addresses are left. */
  unreached?: Unreached | undefined
}

/** The address names the group, so that the link opens it for people of several groups. */
export function toItem(row: NotificationRow, base: string): Item {
  const url = new URL(row.path, base)
  url.searchParams.set('group_id', row.group_id)
  return {
    id: row.id,
    groupId: row.group_id,
    alertId: row.alert_id,
    kind: row.kind,
    severity: row.severity,
    state: row.state,
    title: row.title,
    text: row.text,
    url: url.href,
    key: row.key,
    at: row.created_at,
    data: row.data,
  }
}

export function testItem(id: string, groupId: string, base: string, at: Date): Item {
  return {
    id,
    groupId,
    alertId: null,
    kind: 'test',
    severity: 'info',
    state: 'firing',
    title: 'Test of a channel',
    text: 'If you can read this, notifications of Signalbox arrive here.',
    url: new URL(`/notifications?group_id=${groupId}`, base).href,
    key: `test ${id}`,
    at,
    data: {},
  }
}

/** How urgent it is, in one word for people. */
export const labelOf = ({ state, severity }: Pick<Item, 'state' | 'severity'>): string =>
  state === 'resolved' ? 'Resolved' : severity.charAt(0).toUpperCase() + severity.slice(1)

/** The message in one line. */
export function headlineOf({ items }: Message): string {
  const [first, ...more] = items
  return more.length === 0
    ? `${labelOf(first)}: ${first.title}`
    : `${items.length} notifications: ${first.title} and ${more.length} more`
}

/** More are counted, not listed. */
export const maxListed = 20
export const cut = (text: string, maximum: number): string =>
  text.length <= maximum ? text : `${text.slice(0, maximum - 1).toWellFormed()}…`
