import { readFileSync, writeFileSync } from 'node:fs'
import { measurePaths } from '../../bench/request-path/measure.ts'
import { errorPage } from './errors.ts'
import { figuresIn, withFigures } from './figures.ts'

/** `npm run docs`: writes what the docs take from the code. `-- --path` also measures the path of requests. */
writeFileSync('docs/errors.md', errorPage())
const page = readFileSync('docs/architecture.md', 'utf8')
const paths = process.argv.includes('--path') ? await measured() : figuresIn(page).paths
writeFileSync('docs/architecture.md', withFigures(page, paths))

async function measured() {
  const { chat, standup } = await measurePaths()
  const chatInGateway = [...chat.keys()].filter((file) => file.startsWith('gateway/')).length
  return { chat: chat.size, chatInGateway, standup: standup.size }
}
