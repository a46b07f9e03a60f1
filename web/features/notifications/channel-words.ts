import { BellRing, Hash, Mail, MessagesSquare, Siren, Webhook, type LucideIcon } from 'lucide-react'
import type { Channel, ChannelType, DeliveryStatus } from '#notifications/contract'
import type { Tone } from '../../ui/badge.tsx'
import { listText } from './list-text.ts'

export const typeNames: Record<ChannelType, string> = {
  webhook: 'Signed webhook',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  email: 'Email',
  pagerduty: 'PagerDuty',
}

export const channelTypes = Object.keys(typeNames) as ChannelType[]

const icons: Record<ChannelType, LucideIcon> = {
  webhook: Webhook,
  slack: Hash,
  teams: MessagesSquare,
  email: Mail,
  pagerduty: Siren,
}

export const iconOf = (type: ChannelType): LucideIcon => icons[type] ?? BellRing

/** Where its messages go, as far as that may be shown. */
export function placeOf({ type, config }: Channel): string {
  if (type === 'email') return listText(config.to ?? [])
  if (type === 'pagerduty') return `Integration key …${config.routing_key_suffix ?? ''}`
  if (type === 'webhook') return config.url ?? ''
  return `${config.url_host ?? ''}/…${config.url_suffix ?? ''}`
}

export const statusNames: Record<DeliveryStatus, string> = {
  pending: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

export const statusTones: Record<DeliveryStatus, Tone> = {
  pending: 'info',
  delivered: 'success',
  failed: 'danger',
  cancelled: 'neutral',
}
