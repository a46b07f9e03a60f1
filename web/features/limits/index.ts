export { LimitBars, limitsFor } from './limit-bars.tsx'
