/** Replaces a secret. */
export const masked = '[masked]'
