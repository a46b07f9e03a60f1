import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { budget, requestCost, setScene, type Scene } from './scene.ts'
import { storm } from './storm.ts'

const usage = `npm run bench:limits -- [options]
  --clients N    clients at the same time (default 1000, at most 2000)
  --only NAME    storm, restart or kill`

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '1000' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

/** What happens in the middle of the storm. */
const troubles: Record<string, (scene: Scene) => Promise<void>> = {
  storm: async () => undefined,
  async restart({ database }) {
    await wait(400)
    await database.stop()
    await wait(1_000)
    await database.start()
  },
  async kill({ replicas, startReplica }) {
    await wait(400)
    replicas[1]?.kill()
    await wait(3_000)
    await startReplica(1)
  },
}

async function measure(name: string, clients: number): Promise<boolean> {
  await using scene = await setScene()
  const begun = performance.now()
  const running = storm(scene, clients)
  await troubles[name]?.(scene)
  const killedAt = Date.now()
  const freed = name === 'kill' ? leasesFree(scene, killedAt) : Promise.resolve(0)
  const count = await running
  const seconds = (performance.now() - begun) / 1_000
  const lost = await freed
  // The log is copied within a second.
  await wait(3_000)
  const overshoot = ((await scene.spent()) - budget) / requestCost
  console.log(name, {
    ...count,
    seconds: seconds.toFixed(1),
    overshootInRequests: overshoot.toFixed(2),
    ...(name === 'kill' && { leasesOfTheDeadSeconds: lost.toFixed(1) }),
  })
  return overshoot <= 1.000001 && lost <= 60
}

/** How long after the kill a process that does not run any more still held something. */
async function leasesFree(scene: Scene, since: number): Promise<number> {
  const until = since + 70_000
  let last = since
  while (Date.now() < until && Date.now() - last < 12_000) {
    // Those that run are seen every five seconds.
    if ((await scene.oldestHolder()) > 8) last = Date.now()
    await wait(500)
  }
  return (last - since) / 1_000
}

if (values.help) console.log(usage)
else {
  const clients = Math.min(2_000, Math.max(1, Math.trunc(Number(values.clients)) || 1_000))
  const names = Object.keys(troubles).filter((name) => values.only === undefined || name === values.only)
  let isGood = true
  for (const name of names) isGood = (await measure(name, clients)) && isGood
  process.exitCode = isGood ? 0 : 1
}
