/** The same bytes when they have room for `more` after those in use, otherwise a larger copy. */
export function ensureCapacity(bytes: Buffer<ArrayBuffer>, used: number, more: number): Buffer<ArrayBuffer> {
  const needed = used + more
  if (needed <= bytes.length) return bytes
  const larger = Buffer.allocUnsafe(needed * 2)
  bytes.copy(larger, 0, 0, used)
  return larger
}
