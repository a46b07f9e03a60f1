import type { Thing } from './thing.ts'

/** Things that nobody asks for, about the same matters and people, so that the wanted ones have to be told apart. */

const areas = [
  ...['invoice', 'webhook', 'password', 'search box', 'usage log', 'avatar', 'comment', 'meeting room'],
  ...['receipt', 'build runner', 'rate limiter', 'cookie', 'weekly report', 'deployment list', 'sign-on'],
  ...['chart', 'upload', 'refund', 'project picker', 'code editor', 'backup', 'mail digest', 'queue'],
  ...['feature flag', 'certificate', 'connection pool', 'import', 'image', 'order', 'price', 'session'],
  ...['payment', 'audit log', 'sidebar', 'dashboard', 'container', 'alert', 'cache', 'index', 'migration'],
]
const people = ['Ada', 'Grace', 'Bob', 'Ann', 'Eve']
const verbs = ['Document', 'Test', 'Translate', 'Simplify', 'Rename', 'Speed up', 'Redesign', 'Measure']
const parts = ['settings', 'API', 'page', 'errors', 'tests', 'permissions', 'screen']

const titles: Record<string, ((area: string, other: string, verb: string, part: string) => string)[]> = {
  ticket: [
    (area, _, verb, part) => `${verb} the ${area} ${part}`,
    (area, other) => `The ${area} page does not link to the ${other}`,
    (area, _, __, part) => `${capital(area)} ${part} are confusing`,
  ],
  devlog: [
    (area, _, verb, part) => `${capital(area)} ${part}: ${verb.toLowerCase()} finished`,
    (area, other) => `Moved the ${area} code beside the ${other}`,
  ],
  decision: [
    (area, other) => `One service for ${area} and ${other}`,
    (area, _, __, part) => `The ${area} ${part} stay as they are`,
  ],
  learning: [(area, other) => `A change of the ${area} needs a test of the ${other}`],
  transcript: [
    (area, _, verb, part) => `${verb} the ${area} ${part}, step by step`,
    (area, other) => `Explain how the ${area} uses the ${other}`,
  ],
  initiative: [(area) => `A better ${area} for small teams`],
  event: [(area) => `${capital(area)} job was slow`],
  request: [(area) => `Requests of ${area.replaceAll(' ', '-')}-helper`],
}

const sentences = [
  (area: string, other: string, person: string) =>
    `${person} looked at the ${area} and found that the ${other} has to change first.`,
  (area: string, other: string) => `People asked for it when the ${other} was new; the **${area}** was not.`,
  (area: string) => `See the notes in \`docs/${area.replaceAll(' ', '-')}.md\` before you begin.`,
  (area: string, other: string) =>
    `- the ${area} is read on every page\n- the ${other} only on a few, seldom by customers`,
  (area: string, _: string, person: string) => `${person} is against it, the ${area} team is for it.`,
  (area: string, other: string) => `It took two days, most of them for the ${other} behind the ${area}.`,
  () => 'Nothing was measured yet, so the size of the gain is a guess.',
  () => 'It failed once on staging and worked the second time; the reason is not known.',
  (area: string) => `The error said only that the ${area} was wrong, and nobody knew what to do next.`,
]

const mentioned = [
  (title: string, person: string) => `Blocked by “${title}”; ${person} knows more about “${title}”.`,
  (title: string) => `Came up with “${title}”.`,
  (title: string, person: string) => `${person}: is this the same as “${title}”?`,
]

const counts = {
  ticket: 120,
  devlog: 70,
  decision: 30,
  learning: 30,
  transcript: 45,
  initiative: 12,
  event: 15,
  request: 15,
}

/** Some of them name others, as comments and sessions do. */
export function makeFillers(below: (limit: number) => number, named: readonly string[]): Thing[] {
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T
  const fillers = Object.entries(counts).flatMap(([kind, count]) =>
    Array.from({ length: count }, () => {
      const [area, other] = [pick(areas), pick(areas)]
      const text = Array.from({ length: 2 + below(3) }, () => pick(sentences)(area, other, pick(people)))
      const mentions = Array.from({ length: below(3) }, () => pick(mentioned)(pick(named), pick(people)))
      const title = pick(titles[kind] ?? [])(area, other, pick(verbs), pick(parts))
      return { kind, title, text: [...new Set([...text, ...mentions])].join('\n\n'), ask: {} }
    }),
  )
  return [...new Map(fillers.map((filler) => [filler.title, filler])).values()]
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
