import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Lock {
  packages: Record<string, LockedPackage>
  [field: string]: unknown
}

interface LockedPackage {
  version?: string
  dev?: boolean
  devOptional?: boolean
  link?: boolean
  [field: string]: unknown
}

/**
 * The lockfile as an installation of the packed product sees it. `npm sbom --omit dev` alone leaves out every package
 * that a workspace of the tests uses too, zod and undici among them.
 */
export function productionLock(lock: Lock): Lock {
  const packages = Object.entries(lock.packages).flatMap(([path, entry]) => {
    if (path === '') {
      const { devDependencies: _dev, workspaces: _workspaces, ...root } = entry
      return [[path, root] as const]
    }
    const isShipped = path.startsWith('node_modules/') && !entry.dev && !entry.devOptional && !entry.link
    return isShipped ? [[path, entry] as const] : []
  })
  return { ...lock, packages: Object.fromEntries(packages) }
}

/** `name@version` of every package of a lockfile, also of the one that npm keeps in node_modules. */
export function packagesOf({ packages }: Lock): string[] {
  return Object.entries(packages)
    .filter(([path]) => path.includes('node_modules/'))
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`)
    .toSorted()
}

interface Bom {
  components: { name: string; version: string }[]
}

/** CycloneDX, of the packages that come with the product on any platform. Returns their `name@version`. */
export function writeSbom(root: string, folder: string, file: string): Set<string> {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  const shipped = productionLock(lock)
  // npm takes the name of the component from the folder.
  const place = join(folder, 'signalbox')
  mkdirSync(place)
  writeFileSync(join(place, 'package.json'), JSON.stringify(shipped.packages['']))
  writeFileSync(join(place, 'package-lock.json'), JSON.stringify(shipped))
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']
  const text = execFileSync('npm', args, { cwd: place, encoding: 'utf8', maxBuffer: 100_000_000 })
  const listed = new Set(
    (JSON.parse(text) as Bom).components.map(({ name, version }) => `${name}@${version}`),
  )
  const missing = packagesOf(shipped).filter((name) => !listed.has(name))
  if (missing.length > 0) throw new Error(`The SBOM leaves out ${missing.join(', ')}.`)
  writeFileSync(file, text)
  return listed
}
