export const gatewayPrefix = 'openrouter/'

/**
 * The name OpenRouter knows. Only the first `openrouter/` is the gateway's; the rest keeps its slashes, a leading
 * `~` and variants such as `:free`. OpenRouter has models of its own named `openrouter/auto`: two segments stay.
 */
export function upstreamModel(requested: string): string {
  if (!requested.startsWith(gatewayPrefix)) return requested
  const rest = requested.slice(gatewayPrefix.length)
  return rest.includes('/') ? rest : requested
}
