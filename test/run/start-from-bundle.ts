import { registerHooks } from 'node:module'
import { join, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleVariable } from './command-line.ts'
import { startsCode, withPlace } from './places.ts'

const product = join(import.meta.dirname, '../../src')

/** Where a whole run has made a bundle, the processes that a product in this process starts are those of the bundle. */
export function startFromBundle(): void {
  const entry = process.env[bundleVariable]
  if (entry === undefined) return
  const bundle = join(dirname(entry), '..')
  const places = new Map(
    startsCode.map((file) => [pathToFileURL(join(product, file)).href, join(bundle, file)]),
  )
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      const place = places.get(url)
      if (place === undefined) return loaded
      const { source } = loaded
      const text = typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString()
      return { ...loaded, source: withPlace(text, place) }
    },
  })
}
