import type { Sample } from '../snapshot.ts'
import { sampleAlerts } from './alerts.ts'
import { leases } from './leases.ts'

export const limits: Sample = async (recorder) => {
  await sampleAlerts(recorder)
  await leases(recorder)
}
