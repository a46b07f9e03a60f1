/** From this size on. */
const veryLarge = 4 * 1024 * 1024
/**
 * The C library takes up to 32 MiB from a heap that it keeps when it is freed, once it has seen such sizes. What is
 * larger is mapped, and goes back to the system at once; pages that are never written to take no memory.
 */
const mapped = 33 * 1024 * 1024

/** Memory for a body that is not yet there, at least of this size. */
export const allocate = (bytes: number): Buffer =>
  Buffer.allocUnsafeSlow(bytes > veryLarge ? Math.max(bytes, mapped) : bytes)
