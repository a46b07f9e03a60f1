/** How long a statement may run and wait, and how much it may return: about this much JSON text. */
export const resultBytes = 8 * 1024 * 1024
/** One answer of the server may not be larger: a single value of a gigabyte would have to be held in memory. */
export const maxFetchBytes = 32 * 1024 * 1024
export const lockMs = 5_000
/** A trial run must not stand in the way of others. */
export const trialLockMs = 1_000
export const trialMs = 10_000
