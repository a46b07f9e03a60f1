import { createHash, createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Fault, faults } from '#kernel/errors'
import type { Secret } from '#kernel/log'
import type { HookKind } from './contract.ts'

/** A hook's secret, ready to verify with. */
export interface VerifyingKey {
  key: KeyObject
  /** For senders that send the secret instead of a signature. */
  digest: Buffer
}

export function toVerifyingKey(secret: Secret): VerifyingKey {
  const bytes = Buffer.from(secret.reveal())
  return { key: createSecretKey(bytes), digest: digestOf(bytes) }
}

/** What the headers claim; true for the secret that proves it. Every comparison takes constant time. */
export type Claim = (key: VerifyingKey, body: Buffer) => boolean

/** How far the clock of a sender may differ, and how long a captured delivery could be sent again. */
const toleranceSeconds = 300

/** Reads the headers before the body is read: without a signature there is nothing to verify. */
export function readClaim(kind: HookKind, headers: IncomingHttpHeaders, now = Date.now()): Claim {
  const claim = readers[kind](headers, now)
  if (claim) return claim
  throw new Fault(faults.notAuthenticated, `The delivery is not signed. ${expected[kind]}`)
}

export function signatureMismatch(kind: HookKind): Fault {
  return new Fault(
    faults.notAuthenticated,
    `The signature does not match any active webhook of this kind. Check the secret. ${expected[kind]}`,
  )
}

const expected: Readonly<Record<HookKind, string>> = {
  github: 'Send X-Hub-Signature-256: enter the secret of the webhook at GitHub.',
  gitlab: 'Send X-Gitlab-Token: enter the secret of the webhook as the secret token at GitLab.',
  alertmanager:
    'Send the secret of the webhook as a bearer token or as the password of basic authentication.',
  grafana:
    'Send the secret of the webhook as a bearer token, as a password, or sign with it (X-Grafana-Alerting-Signature).',
  generic:
    'Send X-Signalbox-Timestamp (Unix seconds) and X-Signalbox-Signature: sha256= and the HMAC of "timestamp.body".',
}

type Reader = (headers: IncomingHttpHeaders, now: number) => Claim | undefined

const readers: Readonly<Record<HookKind, Reader>> = {
  github: (headers) => hmacClaim(hexIn(headers['x-hub-signature-256'], 'sha256='), ''),
  gitlab: (headers) => tokenClaim(headers['x-gitlab-token']),
  alertmanager: (headers) => tokenClaim(credentialIn(headers)),
  grafana: (headers) => grafanaClaim(headers) ?? tokenClaim(credentialIn(headers)),
  generic(headers, now) {
    const timestamp = headers['x-signalbox-timestamp']
    const signature = hexIn(headers['x-signalbox-signature'], 'sha256=')
    if (typeof timestamp !== 'string' || signature === undefined) return undefined
    const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN
    if (!(Math.abs(now / 1_000 - seconds) <= toleranceSeconds))
      throw new Fault(
        faults.notAuthenticated,
        'X-Signalbox-Timestamp must be the current time in Unix seconds, at most 5 minutes off.',
      )
    return hmacClaim(signature, `${timestamp}.`)
  },
}

/** With a timestamp header configured, Grafana signs the time and the body. */
function grafanaClaim(headers: IncomingHttpHeaders): Claim | undefined {
  const signature = hexIn(headers['x-grafana-alerting-signature'], '')
  const timestamp =
    headers['x-grafana-alerting-timestamp'] ?? headers['x-grafana-alerting-signature-timestamp']
  return hmacClaim(signature, typeof timestamp === 'string' ? `${timestamp}:` : '')
}

function hmacClaim(signature: Buffer | undefined, prefix: string): Claim | undefined {
  if (signature === undefined) return undefined
  return ({ key }, body) =>
    timingSafeEqual(createHmac('sha256', key).update(prefix).update(body).digest(), signature)
}

/** Digests have one length, so that the comparison does not tell the secret's. */
function tokenClaim(token: string | string[] | undefined): Claim | undefined {
  if (typeof token !== 'string' || token === '') return undefined
  const digest = digestOf(Buffer.from(token))
  return (key) => timingSafeEqual(key.digest, digest)
}

const digestOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

function hexIn(header: string | string[] | undefined, prefix: string): Buffer | undefined {
  if (typeof header !== 'string' || !header.startsWith(prefix)) return undefined
  const hex = header.slice(prefix.length)
  return /^[0-9a-f]{64}$/i.test(hex) ? Buffer.from(hex, 'hex') : undefined
}

/** A bearer token, or the password of basic authentication with any user. */
function credentialIn({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  const space = authorization.indexOf(' ')
  const scheme = authorization.slice(0, Math.max(space, 0)).toLowerCase()
  const value = authorization.slice(space + 1).trim()
  if (scheme === 'bearer') return value
  if (scheme !== 'basic') return undefined
  const pair = Buffer.from(value, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  return colon < 0 ? undefined : pair.slice(colon + 1)
}
