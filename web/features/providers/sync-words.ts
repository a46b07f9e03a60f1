import type { SyncResult } from '#gateway/contract'

const count = new Intl.NumberFormat('en')

/** "412 models in 1.8 s: 12 added, 30 updated, 2 removed." */
export function syncInWords({ synced, added, updated, removed, duration_ms }: SyncResult): string {
  const changes = Object.entries({ added, updated, removed })
    .filter(([, number]) => number > 0)
    .map(([what, number]) => `${count.format(number)} ${what}`)
  const models = `${count.format(synced)} ${synced === 1 ? 'model' : 'models'}`
  return `${models} in ${(duration_ms / 1000).toFixed(1)} s: ${changes.join(', ') || 'no changes'}.`
}
