import { createHash } from 'node:crypto'

/** All that an approval is given for. Anything else that runs under it is something else. */
export interface Bound {
  kind: string
  database: string
  /** The exact texts: one for a statement; of a migration its name, its statements and its checks. */
  texts: readonly string[]
  params: readonly unknown[]
  /** The database role that runs it. */
  access: string
  agentId: string
  policyVersion: number
}

/** Each value has its length before it, so that no two calls give the same bytes. */
export function boundHash(bound: Bound): Buffer {
  const hash = createHash('sha256')
  const add = (value: string): void => void hash.update(`${Buffer.byteLength(value)}:`).update(value)
  add(bound.kind)
  add(bound.database)
  add(String(bound.texts.length))
  for (const text of bound.texts) add(text)
  add(JSON.stringify(bound.params))
  add(bound.access)
  add(bound.agentId)
  add(String(bound.policyVersion))
  return hash.digest()
}
