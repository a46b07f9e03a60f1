import type { Config } from '#kernel/config'
import { messageOf, notFound } from '#kernel/errors'
import { maskFor, type Secret } from '#kernel/log'
import { mask } from '#kernel/mask'
import type { SecretStore } from '#vault'
import type { ChannelRow } from '../channel-store.ts'
import type { Try } from '../contract.ts'
import { sendMail } from '../types/email.ts'
import { pagerdutyRequest } from '../types/pagerduty.ts'
import { slackRequest } from '../types/slack.ts'
import { teamsRequest } from '../types/teams.ts'
import { webhookRequest } from '../types/webhook.ts'
import { post, type HttpRequest } from './http.ts'
import type { Message } from './message.ts'
import type { Outcome, Unreached } from './outcome.ts'

export interface AttemptDeps {
  config: Config
  secrets: SecretStore
  version: string
}

export interface Attempted {
  made: Try
  mayRetry: boolean
  waitMs: number
  unreached: Unreached | undefined
}

const maxResponse = 500

/** One try to deliver a message to a channel. Never throws: whatever happens is the result. */
export async function attempt(
  deps: AttemptDeps,
  channel: ChannelRow,
  message: Message,
  signal: AbortSignal,
): Promise<Attempted> {
  const at = new Date()
  let secret: Secret | undefined
  let outcome: Outcome
  try {
    secret =
      channel.secret_id === null ? undefined : await deps.secrets.open(channel.group_id, channel.secret_id)
    outcome = await deliver(deps, channel, message, secret, signal)
  } catch (error) {
    // The database or the key store: nothing that the receiver did.
    outcome = { ...nothing, error: `The message could not be prepared: ${messageOf(error)}` }
  }
  const hide = (text: string): string => (secret ? maskFor(secret).text(text) : mask(text))
  return {
    made: {
      at: at.toISOString(),
      ok: outcome.ok,
      status_code: outcome.statusCode,
      error: outcome.error === null ? null : hide(outcome.error),
      response: outcome.response === null ? null : shorten(hide(outcome.response)),
      duration_ms: Date.now() - at.getTime(),
    },
    mayRetry: outcome.mayRetry,
    waitMs: outcome.waitMs,
    unreached: outcome.unreached,
  }
}

const nothing = { ok: false, statusCode: null, response: null, mayRetry: true, waitMs: 0 }

/** Cut after it was masked: half a key would not be recognized. Half of a character could not be stored. */
const shorten = (text: string): string => text.replaceAll('\0', '').slice(0, maxResponse).toWellFormed()

function deliver(
  { config, version }: AttemptDeps,
  { type, config: settings }: ChannelRow,
  message: Message,
  secret: Secret | undefined,
  signal: AbortSignal,
): Promise<Outcome> {
  const userAgent = `Signalbox/${version} (notifications)`
  const allowPrivate = settings.allow_private === true && config.UPSTREAM_PRIVATE
  const call = (request: HttpRequest, isPrivate = allowPrivate): Promise<Outcome> =>
    post(request, { allowPrivate: isPrivate, userAgent, signal })
  if (type === 'email') return mail(config, message, settings.to ?? [], signal)
  if (secret === undefined) throw notFound('The secret of the channel')
  if (type === 'slack') return call(slackRequest(message, secret.reveal()))
  if (type === 'teams') return call(teamsRequest(message, secret.reveal()))
  // Its address is the operator's, who may choose a private one.
  if (type === 'pagerduty') return call(pagerdutyRequest(message, config.PAGERDUTY_URL, secret), true)
  return call(webhookRequest(message, settings.url ?? '', secret))
}

async function mail(
  { SMTP_URL: url, SMTP_FROM: from }: Config,
  message: Message,
  to: readonly string[],
  signal: AbortSignal,
): Promise<Outcome> {
  if (url === undefined || from === undefined)
    return { ...nothing, error: 'No mail server is set. The operator must set SMTP_URL and SMTP_FROM.' }
  return sendMail(message, to, { url, from }, signal)
}
