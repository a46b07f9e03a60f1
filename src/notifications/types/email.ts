import { createRequire } from 'node:module'
import { maskFor, Secret } from '#kernel/log'
import type { Outcome } from '../deliver/outcome.ts'
import { outcomeOfReplies, type Refusal, type Replies } from './refusals.ts'
import { headlineOf, labelOf, type Item, type Message } from '../deliver/message.ts'

export interface MailServer {
  url: Secret
  from: string
}

/** What is used of Nodemailer. */
interface Nodemailer {
  createTransport(options: object): {
    sendMail(mail: object): Promise<Partial<Replies>>
    close(): void
  }
}

/** Loaded with the first message: a server without SMTP_URL never needs it. */
const load = createRequire(import.meta.url)

const timeoutMs = 10_000

/**
 * One message to all addresses of the channel, or to those that are left. Its ID is that of the delivery, so that a
 * repeated one is recognized.
 */
export async function sendMail(
  message: Message,
  to: readonly string[],
  server: MailServer,
  signal: AbortSignal,
): Promise<Outcome> {
  const { createTransport } = load('nodemailer') as Nodemailer
  const transport = createTransport({
    ...serverOptions(server.url),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // Nothing of a message names a file or an address to read from.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(() => limit.reject(new Error('timeout')), 2 * timeoutMs)
  const abort = (): void => limit.reject(new Error('stopped'))
  signal.addEventListener('abort', abort, { once: true })
  try {
    const { response = '', rejectedErrors = [] } = await Promise.race([
      transport.sendMail(mailOf(message, to, server.from)),
      limit.promise,
    ])
    return outcomeOfReplies({ response, rejectedErrors }, message.unreached, to)
  } catch (error) {
    const rejectedErrors = refusalsOf(error as SendError, message)
    return rejectedErrors
      ? outcomeOfReplies({ response: '', rejectedErrors }, message.unreached, to)
      : describe(error as SendError, server.url)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    transport.close()
  }
}

interface SendError extends Omit<Refusal, 'recipient'> {
  message?: string
  code?: string
  rejectedErrors?: Refusal[]
}

/**
 * Where nobody takes the message, Nodemailer throws, and what each address said counts all the same. A server that
 * refuses the message as a whole, after all addresses, speaks for those that are left; the others have it already.
 */
function refusalsOf(
  { rejectedErrors, code, responseCode = 0, response = '' }: SendError,
  { unreached }: Message,
): readonly Refusal[] | undefined {
  if (rejectedErrors) return rejectedErrors
  if (code !== 'EMESSAGE') return undefined
  return unreached?.left.map((recipient) => ({ recipient, responseCode, response }))
}

/** Taken apart here, because Nodemailer reads options from parameters of an address too. */
function serverOptions(secret: Secret): object {
  const url = new URL(secret.reveal())
  const secure = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
  }
}

export function mailOf(message: Message, to: readonly string[], from: string): object {
  const host = /@([^>]+)>?$/.exec(from)?.[1] ?? 'localhost'
  return {
    from,
    // What people read names all of them with every try.
    to: [...to],
    envelope: { from, to: [...(message.unreached?.left ?? to)] },
    subject: `[Signalbox] ${headlineOf(message)}`,
    messageId: `<${message.deliveryId}@${host}>`,
    text: message.items.map(textOf).join('\n\n---\n\n'),
    html: `<div style="font-family:sans-serif;font-size:14px;line-height:1.5">${message.items.map(htmlOf).join('<hr>')}</div>`,
    // Replies of absence would come back to every alert.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Signalbox-Delivery': message.deliveryId },
  }
}

const textOf = (item: Item): string =>
  [`${labelOf(item)}: ${item.title}`, item.text, item.url].filter((line) => line !== '').join('\n\n')

function htmlOf(item: Item): string {
  const color = item.state === 'resolved' ? '#15803d' : colors[item.severity]
  const lines = escapeHtml(item.text).replaceAll('\n', '<br>')
  return [
    `<p><strong style="color:${color}">${labelOf(item)}</strong> <strong>${escapeHtml(item.title)}</strong></p>`,
    ...(lines === '' ? [] : [`<p>${lines}</p>`]),
    `<p><a href="${escapeHtml(item.url)}">Open in Signalbox</a></p>`,
  ].join('')
}

const colors = { info: '#1d4ed8', warning: '#a16207', error: '#c2410c', critical: '#b91c1c' } as const

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** A 5xx of a mail server is final; everything else may pass. */
function describe({ message = '', response, responseCode, code }: SendError, url: Secret): Outcome {
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'The connection to the mail server was refused.',
    ESOCKET: 'The connection to the mail server failed.',
    ECONNECTION: 'The connection to the mail server failed.',
    EAUTH: 'The mail server refused the user or password of SMTP_URL.',
    EDNS: 'The host name of the mail server was not found.',
    ETIMEDOUT: 'The mail server did not respond in time.',
  }
  const isTimeout = message === 'timeout'
  const text =
    known[isTimeout ? 'ETIMEDOUT' : (code ?? '')] ??
    `The mail server refused the message (${code ?? 'no code'}).`
  return {
    ok: false,
    statusCode: responseCode ?? null,
    response: response === undefined ? null : hidePassword(response, url),
    error: text,
    mayRetry: responseCode === undefined || responseCode < 500,
    waitMs: 0,
  }
}

function hidePassword(text: string, url: Secret): string {
  const password = decodeURIComponent(new URL(url.reveal()).password)
  return password === '' ? text : maskFor(new Secret(password)).text(text)
}
