import { lockDataDir } from './lock.ts'

/** Tries to lock the given data directory, prints the outcome, and keeps the lock until its input ends. */
try {
  const lock = lockDataDir(process.argv[2] ?? '')
  process.stdout.write('held\n')
  process.stdin.resume().once('end', () => lock.release())
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`)
}
