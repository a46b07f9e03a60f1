import type { Config } from '#kernel/config'
import { findOwnerToken, findServerUrl } from '#kernel/datadir'

const waitMs = 5_000

/** What the server of this DATA_DIR says of itself. Its metrics are for the local owner, or for SIGNALBOX_API_KEY. */
export async function serverFacts(config: Config) {
  const url = findServerUrl(config.DATA_DIR)
  if (url === undefined) return { is_running: false }
  const ready = await ask(`${url}/readyz`)
  const metrics = await ask(`${url}/metrics`, credentials(config))
  return {
    is_running: true,
    ready: { status: ready.status, body: parsed(ready.text) },
    metrics: metrics.status === 200 ? metrics.text.split('\n') : `not read: ${metrics.status}`,
  }
}

function credentials({ SIGNALBOX_API_KEY: key, DATA_DIR, localOwner }: Config): Record<string, string> {
  if (key) return { authorization: `Bearer ${key.reveal()}` }
  const token = localOwner ? findOwnerToken(DATA_DIR) : undefined
  return token ? { 'x-owner-token': token.reveal() } : {}
}

async function ask(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(waitMs) })
  return { status: response.status, text: await response.text() }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
