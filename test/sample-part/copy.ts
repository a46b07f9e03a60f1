import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '#test/product'
import { listEntries, partFiles } from './files.ts'

const root = join(import.meta.dirname, '../..')

/** A copy of the product, without its tests, to which the sample part is added. */
export function copyWithSamplePart(): string {
  const copy = temporaryFolder()
  const isProduct = (path: string): boolean => !/(\.test\.tsx?|[\\/]testing[a-z-]*\.ts|[\\/]dist)$/.test(path)
  for (const folder of ['src', 'web'])
    cpSync(join(root, folder), join(copy, folder), { recursive: true, filter: isProduct })
  for (const file of ['package.json', 'tsconfig.json']) cpSync(join(root, file), join(copy, file))
  for (const folder of ['node_modules', 'migrations', 'models'])
    symlinkSync(join(root, folder), join(copy, folder), 'junction')
  for (const [path, text] of Object.entries(partFiles)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), text)
  }
  for (const { file, importLine, after, entry } of listEntries) {
    const [before, rest, ...more] = readFileSync(join(copy, file), 'utf8').split(after)
    if (rest === undefined || more.length > 0) throw new Error(`${file} has not one line "${after.trim()}"`)
    writeFileSync(join(copy, file), `${importLine}\n${before}${after}${entry}${rest}`)
  }
  return copy
}
