import type { Sample } from '../snapshot.ts'
import { sampleAlerts } from './alerts.ts'

export const limits: Sample = async (recorder) => {
  await sampleAlerts(recorder)
}
