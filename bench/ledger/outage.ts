import { setTimeout as wait } from 'node:timers/promises'
import { startLoad, type Sent } from './load.ts'
import { setScene } from './scene.ts'
import { judge, type Verdict } from './verdict.ts'

export interface OutageVerdict extends Verdict {
  seconds: number
  /** Not completed with 200, though the client waited. */
  failed: number
  duringOutage: number
}

/** The database stops under load and comes back; nobody who asks for a completion is to notice. */
export async function outage(seconds: number): Promise<OutageVerdict> {
  await using scene = await setScene()
  const sent: Sent[] = []
  const server = await scene.startServer(1)
  const load = startLoad({ url: server.url, key: server.key ?? '', clients: 8, pauseMs: 20 }, sent)
  await wait(1_000)
  await scene.database.stop()
  const before = sent.length
  await wait(seconds * 1_000)
  const duringOutage = sent.length - before
  await scene.database.start()
  await wait(2_000)
  await load.stop()
  scene.gatherSeen()
  await server.stop()
  await scene.drainedTo(0)
  const failed = sent.filter(({ status, isWhole, wasAborted }) => status !== 200 || !(isWhole || wasAborted))
  return {
    ...(await judge(scene.database, sent, scene.seenUpstream)),
    seconds,
    failed: failed.length,
    duringOutage,
  }
}
