import type { Health } from './contract.ts'
import type { Config } from '#kernel/config'
import type { Choice } from './choose-runtime.ts'
import type { Driver } from './drivers/driver.ts'

const rememberMs = 1_000

/** Anyone may call it, so the runtime is probed at most once per second. */
export function createHealth(config: Config, version: string, choice: Choice, driver: Driver) {
  let probing: Promise<boolean> | undefined
  let probedAt = 0

  function isConnected(): Promise<boolean> {
    if (probing === undefined || performance.now() - probedAt > rememberMs) {
      probedAt = performance.now()
      probing = driver.probe().then(
        (probe) => probe.hasModel,
        () => false,
      )
    }
    return probing
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
  // The built-in model under `auto` means that no runtime was available.
  if (choice.driver === 'builtin' && config.RUNTIME === 'auto')
    return { status: 'degraded', runtime: 'disconnected' }
  if (choice.driver === 'builtin' || choice.driver === 'onnx')
    return { status: 'healthy', runtime: 'builtin' }
  if (await isConnected()) return { status: 'healthy', runtime: 'connected' }
  return { status: 'unhealthy', runtime: 'disconnected' }
}
