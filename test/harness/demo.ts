import { spawnProduct, type RunningProcess } from './process.ts'
import { waitFor } from './wait.ts'

export interface DemoProduct extends RunningProcess {
  groupId: string
}

/** `signalbox serve --demo` as a process of its own, with the group of the demo filled. */
export async function spawnDemo(dataDir: string): Promise<DemoProduct> {
  const server = await spawnProduct(
    { DATA_DIR: dataDir, RUNTIME: 'builtin', LOG_LEVEL: 'fatal' },
    { flags: ['--demo'] },
  )
  const groupId = await waitFor(
    'the demo to be ready',
    () => /The demo is ready: \S+group_id=([0-9a-f-]{36})/.exec(server.output())?.[1],
  )
  return { ...server, groupId }
}
