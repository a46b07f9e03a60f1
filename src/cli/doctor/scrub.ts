import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#kernel/config'
import { maskFor, Secret } from '#kernel/log'
import { mask } from '#kernel/mask'

/** Shorter ones would take ordinary words away; they are kept out by what the bundle reads, not by this. */
const shortest = 4

/** Replaces these secrets, and what looks like one, in every string of a value. Applied last, to everything. */
export function createScrub(secrets: readonly string[]): (value: unknown) => unknown {
  // The longest first: a password may be part of an address.
  const distinct = [...new Set(secrets)].filter((text) => text.length >= shortest)
  const masks = distinct.toSorted((a, b) => b.length - a.length).map((text) => maskFor(new Secret(text)))
  const scrub = (value: unknown): unknown => {
    if (typeof value === 'string') return mask(masks.reduce((text, each) => each.text(text), value))
    if (Array.isArray(value)) return value.map(scrub)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, scrub(each)]))
  }
  return scrub
}

/** Secrets that are kept in files and not in settings. */
export function secretFiles({ DATA_DIR }: Config): string[] {
  const names = ['master.key', 'owner.token', 'postgres.password']
  return names
    .map((name) => join(DATA_DIR, name))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8').trim())
}
