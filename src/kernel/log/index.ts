import { pino, type Logger } from 'pino'
import { mask } from '#kernel/mask'
import { limitRepeats } from './repeats.ts'

export { Secret, maskFor, type KeyMask } from './secret.ts'

export type Log = Logger

export interface LogOptions {
  level: string
  /** `pretty` for a person at a terminal, `json` for a collector. */
  form: 'pretty' | 'json'
  destination?: NodeJS.WritableStream
}

export async function createLog(options: LogOptions): Promise<Log> {
  const settings = {
    level: options.level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: serializeError, error: serializeError },
    hooks: { streamWrite: mask, logMethod: limitRepeats() },
  }
  if (options.form === 'json') return pino(settings, options.destination ?? pino.destination(1))
  const { default: pretty } = await import('pino-pretty')
  const stream = pretty({
    colorize: options.destination === undefined,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss',
    sync: true,
    ...(options.destination && { destination: options.destination }),
  })
  return pino(settings, stream)
}

/** Only what helps to find the cause: drivers attach whole queries, requests and clients to their errors. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code, internal } = error as Error & { code?: string; internal?: string }
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(code !== undefined && { code }),
    ...(internal !== undefined && { internal }),
    ...(error.cause !== undefined && { cause: serializeError(error.cause) }),
  }
}
