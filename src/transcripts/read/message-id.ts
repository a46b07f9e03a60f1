/*
 * The id of a message is the hash of its key, combined with the id of its session: it stays the same when a session is
 * derived again, and a fork's copy of a message has another id than the original.
 */

export function messageId(sessionId: string, key: string): string {
  return toUuid(combine(sessionId.replaceAll('-', ''), key))
}

export function keyOfMessage(sessionId: string, id: string): string {
  return combine(sessionId.replaceAll('-', ''), id.replaceAll('-', '').toLowerCase())
}

function combine(a: string, b: string): string {
  return (BigInt(`0x${a}`) ^ BigInt(`0x${b}`)).toString(16).padStart(32, '0')
}

function toUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
