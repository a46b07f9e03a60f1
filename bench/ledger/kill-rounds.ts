import { setTimeout as wait } from 'node:timers/promises'
import { killNow, type Server } from './server.ts'
import { startLoad, type Sent } from './load.ts'
import { setScene } from './scene.ts'
import { judge, type Verdict } from './verdict.ts'

export interface KillVerdict extends Verdict {
  rounds: number
  workerKills: number
}

/**
 * Load, kill -9 at a random moment, start again, and so on, on one data directory. In every fourth round, first in
 * the second, two workers serve, and one of them is killed first while the other keeps running.
 */
export async function killRounds(
  rounds: number,
  report: (round: number, requests: number) => void = () => undefined,
): Promise<KillVerdict> {
  await using scene = await setScene()
  const sent: Sent[] = []
  let key = ''
  let workerKills = 0
  for (let round = 1; round <= rounds; round++) {
    const server = await scene.startServer(round % 4 === 2 ? 2 : 1)
    key = server.key ?? key
    const load = startLoad({ url: server.url, key, clients: 16, pauseMs: 2 }, sent)
    await wait(100 + Math.random() * 1_900)
    workerKills += await killOneWorker(server)
    server.kill()
    await load.stop()
    scene.gatherSeen()
    report(round, sent.length)
  }
  const last = await scene.startServer(1)
  await scene.drainedTo(1)
  await last.stop()
  await scene.drainedTo(0)
  return { ...(await judge(scene.database, sent, scene.seenUpstream)), rounds, workerKills }
}

async function killOneWorker(server: Server): Promise<number> {
  const [worker] = server.workers()
  if (worker === undefined) return 0
  killNow(worker)
  await wait(300 + Math.random() * 500)
  return 1
}
