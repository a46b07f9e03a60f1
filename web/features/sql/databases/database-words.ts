import type { OfferedDatabase } from '#sql/contract'
import type { Tone } from '../../../ui/badge.tsx'

export type Environment = 'dev' | 'staging' | 'prod'

export const environmentNames: Record<Environment, string> = {
  dev: 'Development',
  staging: 'Staging',
  prod: 'Production',
}

export const environmentTones: Record<Environment, Tone> = { dev: 'neutral', staging: 'info', prod: 'accent' }

export const abilityNames: Record<keyof OfferedDatabase['available'], string> = {
  read: 'Read',
  write: 'Write',
  migrate: 'Migrate',
  undo: 'Undo',
}

export const abilities = Object.keys(abilityNames) as (keyof OfferedDatabase['available'])[]

/** Each reason once, with all that it is about. */
export function reasonsOf(available: OfferedDatabase['available']): { about: string; reason: string }[] {
  const told = abilities.filter((each) => available[each].reason !== null)
  const byReason = Map.groupBy(told, (each) => available[each].reason ?? '')
  return [...byReason].map(([reason, about]) => ({
    about: about.length === abilities.length ? 'All' : about.map((each) => abilityNames[each]).join(', '),
    reason: onPage(reason),
  }))
}

/** The command that a reason names has a button on the page. */
const onPage = (reason: string): string =>
  reason
    .replace(/To repair it, run: signalbox sql setup \S+$/, 'Set it up again.')
    .replace(/Run: npx signalbox sql setup \S+$/, 'Set it up.')

/** Where it is; only admins see it. */
export const placeOf = ({ host, port, database, login }: OfferedDatabase): string | null =>
  host === null ? null : `${host}:${port}/${database}, login ${login}`

/** The server sets up its own databases; those that the operator names have an address. */
export const canBeSetUp = ({ source, host }: OfferedDatabase): boolean => source === 'group' || host !== null

/** The name of the database in an address, as far as it may be a name here. */
export function nameIn(address: string): string {
  const path = URL.canParse(address) ? new URL(address).pathname.slice(1) : ''
  return path
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 63)
}

/** One for each line or comma. */
export const namesIn = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map((each) => each.trim())
    .filter((each) => each !== '')
