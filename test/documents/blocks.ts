import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** A fenced block of a page. */
export interface Block {
  page: string
  line: number
  language: string
  /** From the comment over it: `<!-- file: hello.mjs -->`. Such a block is run by a test. */
  file: string | undefined
  text: string
}

export function blocksOf(page: string): Block[] {
  const source = readFileSync(join(root, page), 'utf8')
  const fence =
    /(?:^<!-- file: (?<file>\S+) -->\n)?^(?<indent> *)```(?<language>\w*)\n(?<text>[^]*?)^\k<indent>```$/gm
  return [...source.matchAll(fence)].map(({ index, groups = {} }) => ({
    page,
    line: source.slice(0, index).split('\n').length,
    language: groups['language'] ?? '',
    file: groups['file'],
    text: (groups['text'] ?? '').replaceAll(new RegExp(`^${groups['indent']}`, 'gm'), ''),
  }))
}

/** The block of a page of docs/clients with this file name, for a server at this address. */
export function clientBlock(page: string, file: string, url: string): string {
  const found = blocksOf(`docs/clients/${page}`).find((block) => block.file === file)
  assert.ok(found, `docs/clients/${page} has no block for ${file}`)
  return found.text.replaceAll(/http:\/\/127\.0\.0\.1:8000|https:\/\/signalbox\.example\.com/g, url)
}
