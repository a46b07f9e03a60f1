import { randomUUID } from 'node:crypto'

/** Always ours: the ledger relies on it being unique, so a caller's header is not taken over. */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`
}
