import type { Compared } from './measure.ts'
import type { TargetName } from './targets.ts'

export interface Results {
  /** Resident memory before the first request, in megabytes. */
  idle: Map<TargetName, number>
  scenarios: Map<string, Map<TargetName, Compared>>
}
