export { transcriptionRoutes } from './routes.ts'
export type { TranscribeDeps } from './transcribe.ts'
