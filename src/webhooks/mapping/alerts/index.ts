import type { Mapper } from '../change.ts'
import { arrayAt, textAt } from '../payload.ts'
import { alertOf } from './alert.ts'

const maxAlerts = 500

/** Alertmanager's webhook, version 4, and Grafana's, which has the same fields. */
export const alerts: Mapper = ({ payload }) => {
  const all = arrayAt(payload, 'alerts')
  if (all.length === 0) return { ignored: 'The payload has no alerts.' }
  if (all.length > maxAlerts)
    return { ignored: `The payload has ${all.length} alerts; at most ${maxAlerts} are used. Set max_alerts.` }
  const changes = all.flatMap((alert) => alertOf(alert, textAt(payload, 'status')) ?? [])
  return changes.length > 0 ? { changes } : { ignored: 'No alert has a status and a start.' }
}
