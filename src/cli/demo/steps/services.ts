import type { Filling } from '../filling.ts'
import { services } from '../words.ts'
import { brokenService } from '../world.ts'

export const healthAddress = (worldUrl: string, service: string): string => `${worldUrl}/health/${service}`

export const receiverAddress = (worldUrl: string): string => `${worldUrl}/on-call`
export const channelName = 'On-call (demo)'

/** Services that are checked, a public status page, whom to notify and of what. One service is down. */
export async function addServices({ call, worldUrl }: Filling): Promise<void> {
  await call('/api/v1/channels', {
    json: {
      name: channelName,
      type: 'webhook',
      config: { url: receiverAddress(worldUrl), secret: 'secret-of-the-demo', allow_private: true },
      min_severity: 'warning',
    },
  })
  const alerts = [
    { name: 'A service is down', kind: 'service_down', severity: 'error' },
    { name: 'A deployment failed', kind: 'deployment_failed', severity: 'warning' },
    { name: 'A statement waits for approval', kind: 'approval_waiting', severity: 'warning' },
    { name: 'A run waits for a person', kind: 'run_waiting', severity: 'info' },
    { name: 'A provider fails', kind: 'provider_errors', severity: 'error' },
  ]
  for (const alert of alerts) await call('/api/v1/alerts', { json: { ...alert, config: {} } })
  for (const { name, title, description } of services) {
    const isBroken = name === brokenService
    const checks = {
      ...{ url: healthAddress(worldUrl, name), allow_private: true, interval_s: 30 },
      failures_to_open: isBroken ? 1 : 3,
    }
    const { id } = await call<{ id: string }>('/api/services', {
      json: { name, title, description, is_public: true, ...checks },
    })
    await call(`/api/services/${id}/check`, { method: 'POST' })
    // Two checks that pass are needed before a service counts as up.
    if (!isBroken) await call(`/api/services/${id}/check`, { method: 'POST' })
  }
  await call('/api/status-page', {
    method: 'PUT',
    json: {
      ...{ slug: 'demo-shop', title: 'Status of the demo shop', is_enabled: true },
      description: 'A shop that does not exist.',
    },
  })
}
