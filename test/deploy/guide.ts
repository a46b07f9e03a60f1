import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Block {
  language: string
  text: string
}

/** The blocks of commands and settings of "Two replicas on Debian", by the number of the step. */
export function readGuide(): Map<number, Block[]> {
  const page = readFileSync(join(import.meta.dirname, '../../docs/deploy.md'), 'utf8')
  const [, section = ''] = /^## Two replicas on Debian$([^]*?)^### /m.exec(page) ?? []
  const steps = section.split(/^\*\*(?=\d+\. )/m).slice(1)
  assert.equal(steps.length, 10)
  return new Map(
    steps.map((step) => [
      Number.parseInt(step, 10),
      [...step.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', text = '']) => ({
        language,
        text,
      })),
    ]),
  )
}
