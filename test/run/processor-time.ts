import { appendFileSync, readFileSync } from 'node:fs'

/** The name of the variable with the file to which the process of each test file adds its line. */
export const timesVariable = 'SIGNALBOX_PROCESSOR_TIMES'

/** Seconds of this process and of the ended processes that it has started, as far as it has waited for them. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000 + secondsOfChildren()
}

/** The seconds that each test file has reported. One that was killed has reported nothing. */
export function readTimes(file: string): Map<string, number> {
  const lines = readFileSync(file, { encoding: 'utf8', flag: 'a+' }).split('\n').slice(0, -1)
  return new Map(lines.map((line) => JSON.parse(line) as [string, number]))
}

/** Preloaded into the process of each test file. */
export function reportAtExit(): void {
  const [times, file] = [process.env[timesVariable], process.argv[1]]
  if (times === undefined || file === undefined) return
  process.once('exit', () => appendFileSync(times, `${JSON.stringify([file, processorSeconds()])}\n`))
}

/** Only Linux shows them to Node, in hundredths of a second. */
function secondsOfChildren(): number {
  if (process.platform !== 'linux') return 0
  // The name of the program comes before, in brackets, and may hold spaces.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) / 100
}
