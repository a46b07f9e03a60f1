import { setTimeout as wait } from 'node:timers/promises'
import { killNow, type Box } from './box.ts'
import { startLoad, type Sent } from './load.ts'
import { setScene } from './scene.ts'
import { judge, type Verdict } from './verdict.ts'

export interface KillVerdict extends Verdict {
  rounds: number
  workerKills: number
}

/**
 * Load, kill -9 at a random moment, start again, and so on, on one data directory. In every fourth round two workers
 * serve, and one of them is killed first while the other goes on.
 */
export async function killRounds(
  rounds: number,
  told: (round: number, requests: number) => void = () => undefined,
): Promise<KillVerdict> {
  await using scene = await setScene()
  const sent: Sent[] = []
  let key = ''
  let workerKills = 0
  for (let round = 1; round <= rounds; round++) {
    const box = await scene.startBox(round % 4 === 3 ? 2 : 1)
    key = box.key ?? key
    const load = startLoad({ url: box.url, key, clients: 16, pauseMs: 2 }, sent)
    await wait(100 + Math.random() * 1_900)
    workerKills += await killOneWorker(box)
    box.kill()
    await load.stop()
    scene.gatherSeen()
    told(round, sent.length)
  }
  const last = await scene.startBox(1)
  await scene.drainedTo(1)
  await last.stop()
  await scene.drainedTo(0)
  return { ...(await judge(scene.database, sent, scene.seenUpstream)), rounds, workerKills }
}

async function killOneWorker(box: Box): Promise<number> {
  const [worker] = box.workers()
  if (worker === undefined) return 0
  killNow(worker)
  await wait(300 + Math.random() * 500)
  return 1
}
