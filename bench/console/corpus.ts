/** Events as services send them: about 23 words each, common ones often and rare ones seldom. */

const syllables = ['ka', 'lo', 'mi', 'ne', 'ru', 'sa', 'ti', 'vo', 'ze', 'pa', 'du', 'fe']
const types = ['api_call', 'api_call', 'api_call', 'sync', 'deployment', 'error']
const severities = ['info', 'info', 'info', 'info', 'debug', 'warning', 'error']

/** The same numbers in every run. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Word number n; a low number is a common word. */
export function wordAt(n: number): string {
  let word = ''
  for (let rest = n + 1; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length] ?? ''
  return word
}

const vocabulary = 20_000

export function createEvent(random: () => number): object {
  const pick = (): string => wordAt(Math.floor(vocabulary * random() ** 3))
  const words = (count: number): string => Array.from({ length: count }, pick).join(' ')
  const choose = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? ''
  return {
    type: choose(types),
    severity: choose(severities),
    service: `service-${Math.floor(20 * random() ** 2)}`,
    source: 'bench',
    title: words(5),
    message: words(18),
    metadata: { request: Math.floor(random() * 1e9), region: 'eu' },
  }
}

/** Searches from common to rare: one word, two words, a phrase that few have, a word that nobody has. */
export function createSearch(random: () => number, index: number): string {
  const ranks = [0, 3, 30, 300, 3_000, 15_000, 19_999]
  const word = (): string =>
    wordAt((ranks[Math.floor(random() * ranks.length)] ?? 0) + Math.floor(random() * 3))
  if (index % 4 === 0) return `${word()} ${word()}`
  if (index % 10 === 1) return `${word()} -${word()}`
  return index % 25 === 2 ? 'wordthatnobodyhas' : word()
}
