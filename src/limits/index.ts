export { createAlerts, noteBackup, type AlertDeps, type AlertsPart, type LimitUse } from './alerts/index.ts'
