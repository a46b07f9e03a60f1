import type {
  Channel,
  ChannelType,
  NotificationKind,
  NotificationSeverity,
  QuietHours,
} from '#notifications/contract'

export type Weekday = NonNullable<QuietHours['days']>[number]

/** What the form holds; texts are as they were typed. */
export interface ChannelDraft {
  type: ChannelType
  name: string
  url: string
  secret: string
  routingKey: string
  to: string
  allowPrivate: boolean
  kinds: NotificationKind[]
  minSeverity: NotificationSeverity
  /** Empty: never. */
  repeatHours: string
  isQuiet: boolean
  quietFrom: string
  quietTo: string
  quietDays: Weekday[]
}

export const weekdayNames: Record<Weekday, string> = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
}
export const weekdays = Object.keys(weekdayNames) as Weekday[]

export function draftOf(channel: Channel | undefined): ChannelDraft {
  const { config = {}, quiet_hours: quiet = null } = channel ?? {}
  return {
    type: channel?.type ?? 'slack',
    name: channel?.name ?? '',
    url: config.url ?? '',
    secret: '',
    routingKey: '',
    to: (config.to ?? []).join(', '),
    allowPrivate: config.allow_private ?? false,
    kinds: (channel?.kinds ?? []) as NotificationKind[],
    minSeverity: channel?.min_severity ?? 'info',
    repeatHours: config.repeat_hours ? String(config.repeat_hours) : '',
    isQuiet: quiet !== null,
    quietFrom: quiet?.from ?? '22:00',
    quietTo: quiet?.to ?? '07:00',
    quietDays: quiet?.days ?? [...weekdays],
  }
}

/** What is sent. A secret that was left empty stays as it is. */
export function bodyOf(draft: ChannelDraft, before: Channel | undefined) {
  return {
    name: draft.name.trim(),
    config: configOf(draft, before),
    kinds: draft.kinds,
    min_severity: draft.minSeverity,
    quiet_hours: draft.isQuiet ? quietOf(draft, before?.quiet_hours?.time_zone) : null,
  }
}

function configOf(draft: ChannelDraft, before: Channel | undefined) {
  const repeat = draft.repeatHours.trim() === '' ? null : Number(draft.repeatHours)
  const shared = before || repeat !== null ? { repeat_hours: repeat } : {}
  const given = (name: 'url' | 'secret' | 'routing_key', value: string) =>
    value.trim() === '' ? {} : { [name]: value.trim() }
  // Only what is set: a server that allows no private networks refuses the field.
  const network =
    draft.allowPrivate || before?.config.allow_private ? { allow_private: draft.allowPrivate } : {}
  if (draft.type === 'email') return { ...shared, to: addressesOf(draft.to) }
  if (draft.type === 'pagerduty') return { ...shared, ...given('routing_key', draft.routingKey) }
  const url = { ...shared, ...network, ...given('url', draft.url) }
  return draft.type === 'webhook' ? { ...url, ...given('secret', draft.secret) } : url
}

const addressesOf = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((each) => each.trim())
    .filter((each) => each !== '')

function quietOf({ quietFrom, quietTo, quietDays }: ChannelDraft, zone: string | undefined): QuietHours {
  return {
    from: quietFrom,
    to: quietTo,
    ...(zone !== undefined && { time_zone: zone }),
    ...(quietDays.length > 0 && quietDays.length < weekdays.length && { days: quietDays }),
  }
}

/** Printable, and as long as a key of HMAC-SHA256 should be. */
export const newSecret = (): string =>
  `whsec_${Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
