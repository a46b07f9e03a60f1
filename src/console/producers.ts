import type { EventName, EventRecord, Events } from '#kernel/events'
import { maxMessage, maxName, maxTitle, severities, slugPattern, type Severity } from './contract.ts'
import type { EventDraft } from './event.ts'
import { storableMetadata, storableText } from './storable.ts'

type Offer = (draft: EventDraft, groupId: string | null) => void
type ConfigEvent = Exclude<EventName, 'activity' | 'api_call' | 'request.settled'>

/** What each change of the configuration is called in the console. */
const titles: { [N in ConfigEvent]: (event: EventRecord<N>) => string } = {
  'api_key.created': ({ name }) => `API key "${name}" created`,
  'api_key.changed': ({ name }) => `API key "${name}" changed`,
  'api_key.rotated': ({ name }) => `API key "${name}" rotated`,
  'api_key.revoked': ({ name }) => `API key "${name}" revoked`,
  'group.created': ({ name }) => `Group "${name}" created`,
  'group.renamed': ({ name }) => `Group renamed to "${name}"`,
  'group.time_zone_changed': ({ timeZone }) =>
    timeZone === null ? 'Time zone of the group removed' : `Time zone of the group set to ${timeZone}`,
  'group.deleted': ({ name }) => `Group "${name}" deleted`,
  'member.invited': ({ role }) => `Somebody invited as ${role}`,
  'member.joined': ({ email, role }) => `${email} joined as ${role}`,
  'member.role_changed': ({ role }) => `Role of a member changed to ${role}`,
  'member.removed': () => 'Member removed',
  'provider_account.created': ({ name }) => `Provider account "${name}" created`,
  'provider_account.changed': ({ name }) => `Provider account "${name}" changed`,
  'provider_account.deleted': ({ name }) => `Provider account "${name}" deleted`,
  'provider_key.added': ({ name }) => `Provider key "${name}" added`,
  'provider_key.default_set': ({ name }) => `Provider key "${name}" is now the default`,
  'provider_key.pool_changed': ({ name }) => `Provider key "${name}" has another place in its pool`,
  'provider_key.renamed': ({ name }) => `Provider key renamed to "${name}"`,
  'provider_key.replaced': ({ name }) => `Provider key "${name}" replaced`,
  'provider_key.activated': ({ name }) => `Provider key "${name}" activated`,
  'provider_key.deactivated': ({ name }) => `Provider key "${name}" deactivated`,
  'provider_key.deleted': ({ name }) => `Provider key "${name}" deleted`,
  'provider_key.revealed': ({ name }) => `Provider key "${name}" revealed`,
  'price.changed': ({ modelId, change }) => `Price of ${modelId} ${change}`,
  'route.changed': ({ name, change }) => `Route "${name}" ${change}`,
  'vault.master_key_rotated': () => 'Master key rotated',
}

/** Turns what the parts of Signalbox report into events of the console. */
export function listen(events: Events, offer: Offer): () => void {
  const stops = [
    events.on('api_call', (event) => offerCall(event, offer)),
    events.on('activity', (event) => offerActivity(event, offer)),
    events.on('*', (event) => offerConfig(event, offer), {
      except: ['activity', 'api_call', 'request.settled'],
    }),
  ]
  return () => stops.forEach((stop) => stop())
}

function offerConfig(record: EventRecord, offer: Offer): void {
  const { event, at, by, ...fields } = record
  const { groupId, email, ...detail } = fields as typeof fields & { email?: string | null }
  const titleOf = titles[event as ConfigEvent] as ((record: EventRecord) => string) | undefined
  if (!titleOf) return
  const severity: Severity = event === 'provider_key.revealed' ? 'warning' : 'info'
  // The whole group reads the console, but only owners and admins may know whom they invite.
  const shown = email === undefined || event === 'member.invited' ? detail : { ...detail, email }
  const metadata = storableOrNothing({ event, by, ...shown })
  const draft = draftOf(at, 'config', severity, titleOf(record), '', metadata)
  // A deleted group has no readers.
  offer({ ...draft, source: 'platform' }, event === 'group.deleted' ? null : groupId)
}

/**
 * A request that the gateway could not serve is also an error. Requests are many, so the metadata is not masked as a
 * whole: only the names of the provider and the model come from outside.
 */
function offerCall(record: EventRecord<'api_call'>, offer: Offer): void {
  const { at, groupId, severity, title, message, by: _by, event: _event, ...call } = record
  const metadata = {
    request_id: call.requestId,
    api_key_id: call.apiKeyId,
    provider: call.provider === null ? null : storable(call.provider, maxTitle),
    model: storable(call.model, maxTitle),
    status_code: call.statusCode,
    duration_ms: call.durationMs,
    prompt_tokens: call.promptTokens,
    completion_tokens: call.completionTokens,
    cost: call.cost,
    request_count: call.requestCount,
  }
  const gateway = { source: 'gateway', service: 'gateway' }
  offer({ ...draftOf(at, 'api_call', severity, title, message, metadata), ...gateway }, groupId)
  if (call.statusCode >= 500)
    offer({ ...draftOf(at, 'error', 'error', title, message, metadata), ...gateway }, groupId)
}

function offerActivity(record: EventRecord<'activity'>, offer: Offer): void {
  const { at, groupId, by, type, severity, source, service, title, message, metadata } = record
  const shown = storableOrNothing(by === null ? metadata : { ...metadata, by })
  const draft = draftOf(at, type, severity, title, message, shown)
  offer(
    {
      ...draft,
      source: slugPattern.test(source) ? source : 'platform',
      service: service === null || service === '' ? null : storable(service, maxName),
    },
    groupId,
  )
}

function draftOf(
  at: Date,
  type: EventDraft['type'],
  severity: Severity,
  title: string,
  message: string,
  metadata: Record<string, unknown>,
): EventDraft {
  return {
    at: at.getTime(),
    sent: null,
    type,
    severity: severities.indexOf(severity),
    source: 'platform',
    service: null,
    title: storable(title, maxTitle) || type,
    message: storable(message, maxMessage),
    metadata,
  }
}

/** Nobody is there to correct an event of our own: what does not fit is cut off. */
function storable(text: string, maxLength: number): string {
  return storableText(text.replaceAll('\0', '').slice(0, maxLength), 'text', maxLength)
}

function storableOrNothing(metadata: Record<string, unknown>): Record<string, unknown> {
  try {
    return storableMetadata(metadata, 'metadata')
  } catch {
    return { omitted: 'The metadata was too large.' }
  }
}
