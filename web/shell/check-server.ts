import { call } from '../api/client.ts'

/** Asks whether the server is there; the banner shows what came of it. */
export const checkServer = (): void => void call('GET', '/livez').catch(() => undefined)
