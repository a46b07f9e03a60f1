const bytesPerToken = 4

/** About how many tokens a text has; exact counts come from the provider. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}
