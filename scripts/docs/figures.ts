import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const isTest = (file: string): boolean => /\.test\.tsx?$|(^|\/)testing[a-z0-9-]*\.ts$/.test(file)
const marks = { from: '<!-- npm run docs: from here -->', to: '<!-- npm run docs: to here -->' }

/** How many files of `src` one request needs; `npm run path` lists them. */
export interface PathFigures {
  chat: number
  chatInGateway: number
  standup: number
}

const areas: [name: string, pattern: string, isWanted: (file: string) => boolean][] = [
  ['`src`, without tests', 'src/**/*.{ts,js}', (file) => !isTest(file)],
  ['`src/gateway`, without tests', 'src/gateway/**/*.ts', (file) => !isTest(file)],
  ['`web`, without tests', 'web/**/*.{ts,tsx}', (file) => !isTest(file)],
  ['tests in `src`', 'src/**/*.ts', isTest],
  ['`test`', 'test/**/*.ts', () => true],
]

export interface Size {
  name: string
  files: number
  median: number
  ninetyFifth: number
  longest: number
}

export function sizes(): Size[] {
  return areas.map(([name, pattern, isWanted]) => {
    const files = globSync(pattern, { cwd: root, exclude: ['web/dist/**', '**/node_modules/**'] })
    const lines = files.filter(isWanted).map(linesOf)
    const sorted = lines.toSorted((a, b) => a - b)
    const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
    return { name, files: sorted.length, median: at(0.5), ninetyFifth: at(0.95), longest: at(1) }
  })
}

const linesOf = (file: string): number => readFileSync(join(root, file), 'utf8').split('\n').length - 1

/** Lines of each part of `src`, without tests. */
export function linesOfParts(): Map<string, number> {
  const sums = new Map<string, number>()
  for (const file of globSync('src/*/**/*.{ts,js}', { cwd: root }).filter((each) => !isTest(each))) {
    const part = file.split('/')[1] ?? ''
    sums.set(part, (sums.get(part) ?? 0) + linesOf(file))
  }
  return sums
}

/** The page with these figures between its marks. */
export function withFigures(page: string, paths: PathFigures): string {
  const [before = '', rest = ''] = page.split(marks.from)
  const [, after] = rest.split(marks.to)
  if (after === undefined) throw new Error(`docs/architecture.md has no ${marks.to}`)
  const rows = sizes().map(
    ({ name, files, median, ninetyFifth, longest }) =>
      `| ${name} | ${files} | ${median} | ${ninetyFifth} | ${longest} |`,
  )
  const text = [
    '| | Files | Median lines | 95 % | Longest |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    `One warm chat completion that passes through calls functions in ${paths.chatInGateway} files of \`src/gateway\` and ${paths.chat} files of \`src\`, from the router to the response, and in about six more to settle its log entry, mostly after the response; a message of a stand-up in ${paths.standup}, until the turn of the agent is over.`,
  ].join('\n')
  return `${before}${marks.from}\n\n${text}\n\n${marks.to}${after}`
}

/** The figures that the page has, in their order. */
export function figuresIn(page: string): { sizes: number[][]; paths: PathFigures } {
  const part = page.slice(page.indexOf(marks.from), page.indexOf(marks.to))
  const rows = [...part.matchAll(/^\| .* \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$/gm)]
  const sentence = part.slice(part.indexOf('One warm chat completion'))
  const [chatInGateway = 0, chat = 0, standup = 0] = [...sentence.matchAll(/\d+/g)].map(Number)
  return { sizes: rows.map((row) => row.slice(1).map(Number)), paths: { chat, chatInGateway, standup } }
}
