import type { Health } from './contract.ts'
import type { Config } from '#kernel/config'
import type { Choice } from './choose-runtime.ts'
import type { Driver } from './drivers/driver.ts'

const rememberMs = 1_000

/** Anyone may ask, so the runtime itself is asked no more than once a second. */
export function createHealth(config: Config, version: string, choice: Choice, driver: Driver) {
  let asked: Promise<boolean> | undefined
  let askedAt = 0

  function isConnected(): Promise<boolean> {
    if (asked === undefined || Date.now() - askedAt > rememberMs) {
      askedAt = Date.now()
      asked = driver.probe().then(
        (probe) => probe.hasModel,
        () => false,
      )
    }
    return asked
  }

  return async (): Promise<Health> => ({
    ...(await stateOf(config, choice, isConnected)),
    service: 'signalbox-embeddings',
    version,
    runtime_url: config.RUNTIME_URL,
    model: choice.model,
  })
}

type State = Pick<Health, 'status' | 'runtime'>

async function stateOf(config: Config, choice: Choice, isConnected: () => Promise<boolean>): Promise<State> {
  // The shipped model under `auto` means that the runtime was not there.
  if (choice.driver === 'builtin' && config.RUNTIME === 'auto')
    return { status: 'degraded', runtime: 'disconnected' }
  if (choice.driver === 'builtin' || choice.driver === 'onnx')
    return { status: 'healthy', runtime: 'builtin' }
  if (await isConnected()) return { status: 'healthy', runtime: 'connected' }
  return { status: 'unhealthy', runtime: 'disconnected' }
}
