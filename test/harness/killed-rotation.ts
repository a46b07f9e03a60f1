import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { loadConfig } from '#kernel/config'
import { masterKey } from '#kernel/datadir'
import { openDatabase, type Target } from '#kernel/db'
import { createEvents } from '#kernel/events'
import { createLog } from '#kernel/log'
import { nextMasterKey } from '#vault'
import { createKeyRing } from '../../src/vault/key-ring.ts'
import { rotateMaster, type RotationStep } from '../../src/vault/rotation.ts'

/** Rotates in a process of its own, which dies by SIGKILL right after the step. */
export async function killedRotation(step: RotationStep, dataDir: string, target: Target): Promise<void> {
  const child = spawn(process.execPath, [import.meta.filename, step, JSON.stringify(target)], {
    env: { DATA_DIR: dataDir },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  if (signal !== 'SIGKILL') throw new Error(`The rotation was not killed after "${step}" (exit ${code})`)
}

async function rotateAndDie(step: string, target: Target): Promise<void> {
  const config = loadConfig()
  const log = await createLog({ level: 'error', form: 'json' })
  const database = openDatabase(target, log)
  const ring = createKeyRing(config, masterKey(config))
  const after = (done: RotationStep): void => void (done === step && process.kill(process.pid, 'SIGKILL'))
  await rotateMaster({ database, ring, events: createEvents(log), log, after }, nextMasterKey(config))
}

if (import.meta.main) {
  const [step = '', target = ''] = process.argv.slice(2)
  await rotateAndDie(step, JSON.parse(target) as Target)
}
