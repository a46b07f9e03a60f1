/** The bytes themselves when there is room for more behind those in use, or else a larger copy of these. */
export function withRoom(bytes: Buffer<ArrayBuffer>, used: number, more: number): Buffer<ArrayBuffer> {
  const wanted = used + more
  if (wanted <= bytes.length) return bytes
  const larger = Buffer.allocUnsafe(wanted * 2)
  bytes.copy(larger, 0, 0, used)
  return larger
}
