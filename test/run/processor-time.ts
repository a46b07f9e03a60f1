import { appendFileSync, readFileSync } from 'node:fs'

/** The name of the variable with the file to which each test file's line is added. */
export const timesVariable = 'SIGNALBOX_PROCESSOR_TIMES'

/** In seconds: what its processes used, and how long it took. */
export interface Times {
  file: string
  used: number
  taken: number
}

/** Seconds of this process and of the ended processes that it has started, as far as it has waited for them. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000 + secondsOfChildren()
}

/** What each test file has reported. One that was killed has reported nothing. */
export function readTimes(place: string): Times[] {
  const lines = readFileSync(place, { encoding: 'utf8', flag: 'a+' }).split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Times)
}

/** Begins to measure; the function that it returns reports. */
export function reportTimes(file: string): () => void {
  const place = process.env[timesVariable]
  const [started, before] = [performance.now(), processorSeconds()]
  return () => {
    if (place === undefined) return
    const times: Times = {
      file,
      used: processorSeconds() - before,
      taken: (performance.now() - started) / 1000,
    }
    appendFileSync(place, `${JSON.stringify(times)}\n`)
  }
}

/** Only Linux shows them to Node, in hundredths of a second. */
function secondsOfChildren(): number {
  if (process.platform !== 'linux') return 0
  // The name of the program comes before, in brackets, and may hold spaces.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) / 100
}
