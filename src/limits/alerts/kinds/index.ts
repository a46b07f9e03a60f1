import type { ConfigOf } from '../config.ts'
import type { Kind } from '../kind.ts'
import type { AlertKind } from '../shapes.ts'
import { anomaly } from './anomaly.ts'
import { budget } from './budget.ts'
import { deploymentFailed, runFailed } from './failed.ts'
import { backupFailed, disk } from './installation.ts'
import { providerKey } from './provider-key.ts'
import { providerErrors, providerLatency } from './provider.ts'
import { serviceDown } from './services.ts'
import { spend } from './spend.ts'
import { unpricedModel } from './unpriced.ts'
import { approvalWaiting, runWaiting } from './waiting.ts'

const all: { [K in AlertKind]: Kind<ConfigOf<K>> } = {
  spend,
  budget,
  anomaly,
  provider_errors: providerErrors,
  provider_latency: providerLatency,
  provider_key: providerKey,
  unpriced_model: unpricedModel,
  service_down: serviceDown,
  approval_waiting: approvalWaiting,
  run_waiting: runWaiting,
  run_failed: runFailed,
  deployment_failed: deploymentFailed,
  backup_failed: backupFailed,
  disk,
}

/** Configs are stored as their kind has read them, so a kind gets its own. */
export const kinds = all as Readonly<Record<AlertKind, Kind<never>>>
