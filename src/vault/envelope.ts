import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto'
import { Secret } from '#kernel/log'
import type { MasterKey } from './master-key.ts'

/**
 * A sealed key: `v1.<id of the master key>.<wrapped data key>.<ciphertext>`. Each secret has a data key of its own;
 * only that is wrapped by the master key, so a rotation never sees the secret. Both layers are bound to the row.
 */
export interface Binding {
  keyId: string
  groupId: string
}

export type FindMasterKey = (id: string) => MasterKey | undefined

/** The text is not what was written for this row: changed, truncated, or moved from another row or group. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken'
}

/** The text looks intact, but this process does not have the master key it names. */
export class MasterKeyMissing extends Error {
  override readonly name = 'MasterKeyMissing'
  readonly masterKeyId: string

  constructor(masterKeyId: string) {
    super(`The master key ${masterKeyId} is not known to this process`)
    this.masterKeyId = masterKeyId
  }
}

const version = 'v1'
const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

export function seal(master: MasterKey, binding: Binding, secret: Secret): string {
  const dataKey = randomBytes(32)
  const wrapped = encrypt(master.key, wrapContext(master.id, binding), dataKey)
  const sealed = encrypt(
    createSecretKey(dataKey),
    secretContext(binding),
    Buffer.from(secret.reveal(), 'utf8'),
  )
  dataKey.fill(0)
  return write(master.id, wrapped, sealed)
}

export function open(find: FindMasterKey, binding: Binding, text: string): Secret {
  const { sealed } = read(text)
  const dataKey = unwrap(find, binding, text)
  const secret = decrypt(createSecretKey(dataKey), secretContext(binding), sealed)
  dataKey.fill(0)
  return new Secret(secret.toString('utf8'))
}

/** The part that a rotation leaves as it is: it changes with the secret only. */
export const sealedSecret = (text: string): string => text.slice(text.lastIndexOf('.') + 1)

/** The same secret and data key under another master key. */
export function rewrap(find: FindMasterKey, next: MasterKey, binding: Binding, text: string): string {
  const { sealed } = read(text)
  const dataKey = unwrap(find, binding, text)
  const wrapped = encrypt(next.key, wrapContext(next.id, binding), dataKey)
  dataKey.fill(0)
  return write(next.id, wrapped, sealed)
}

function unwrap(find: FindMasterKey, binding: Binding, text: string): Buffer {
  const { masterKeyId, wrapped } = read(text)
  const master = find(masterKeyId)
  if (!master) throw new MasterKeyMissing(masterKeyId)
  const dataKey = decrypt(master.key, wrapContext(masterKeyId, binding), wrapped)
  if (dataKey.length !== 32) throw new SealBroken('The data key is not 32 bytes long')
  return dataKey
}

const wrapContext = (masterKeyId: string, { groupId, keyId }: Binding): Buffer =>
  Buffer.from(`signalbox vault ${version} data key\n${masterKeyId}\n${groupId}\n${keyId}`)

const secretContext = ({ groupId, keyId }: Binding): Buffer =>
  Buffer.from(`signalbox vault ${version} secret\n${groupId}\n${keyId}`)

function encrypt(key: KeyObject, context: Buffer, plain: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(context)
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: KeyObject, context: Buffer, bytes: Buffer): Buffer {
  if (bytes.length < nonceBytes + tagBytes) throw new SealBroken('The stored text is truncated')
  const nonce = bytes.subarray(0, nonceBytes)
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
    .setAAD(context)
    .setAuthTag(bytes.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
  } catch (error) {
    throw new SealBroken('The stored text was changed, or belongs to another row', { cause: error })
  }
}

function write(masterKeyId: string, wrapped: Buffer, sealed: Buffer): string {
  return [version, masterKeyId, wrapped.toString('base64url'), sealed.toString('base64url')].join('.')
}

interface Parts {
  masterKeyId: string
  wrapped: Buffer
  sealed: Buffer
}

function read(text: string): Parts {
  const [, masterKeyId, wrapped, sealed] =
    /^v1\.([0-9a-f]{16})\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/.exec(text) ?? []
  if (!masterKeyId || !wrapped || !sealed) throw new SealBroken('The stored text has an unknown format')
  return {
    masterKeyId,
    wrapped: Buffer.from(wrapped, 'base64url'),
    sealed: Buffer.from(sealed, 'base64url'),
  }
}
