/** Documents and questions about a few hundred topics, from a seed: varied, clustered, and the same in every run. */

const fields = [
  'database replica vacuum index query planner lock transaction backup restore schema migration pool',
  'deployment rollout canary pipeline build artefact container registry rollback release cluster node',
  'invoice payment refund ledger tax currency customer subscription discount receipt account balance',
  'kitchen recipe flour butter oven bread soup garlic pepper dinner restaurant taste salt',
  'train station timetable ticket platform delay conductor luggage journey border carriage railway',
  'garden soil seed tomato fence rain compost flower winter harvest insect bee',
  'music guitar concert melody singer rhythm album piano audience orchestra chorus stage',
  'hospital patient nurse medicine surgery diagnosis fever doctor therapy vaccine clinic blood',
  'football match goal referee league season injury coach stadium training penalty striker',
  'telescope planet orbit galaxy star gravity rocket satellite moon eclipse astronaut comet',
  'court judge lawyer contract appeal verdict evidence witness law clause settlement fine',
  'school teacher lesson exam homework pupil grade library university lecture thesis student',
  'password login token session cookie encryption certificate key signature permission audit role',
  'model embedding vector training token prompt gradient benchmark inference dataset label score',
  'browser button page layout font colour keyboard focus scroll menu dialog accessibility',
  'ship harbour cargo storm captain sail anchor island wave crew compass voyage',
  'forest wolf deer tree river mountain trail camp fire snow bear valley',
  'bank loan interest rate inflation market share bond investor risk profit dividend',
  'camera lens photograph light shadow film exposure portrait tripod flash frame gallery',
  'power grid turbine solar battery voltage cable transformer generator outage meter fuel',
].map((words) => words.split(' '))

const frames = [
  (a: string, b: string, c: string) => `The ${a} was changed because the ${b} did not fit the ${c} any more.`,
  (a: string, b: string, c: string) =>
    `We looked at the ${a} for an hour before someone noticed the ${b} and the ${c}.`,
  (a: string, b: string, c: string) => `Nobody expects a ${a} to need a ${b}, yet the ${c} says otherwise.`,
  (a: string, b: string, c: string) => `After the ${a} came the ${b}; then the ${c} had to be done again.`,
  (a: string, b: string, c: string) =>
    `Please check the ${a}, write down the ${b} and tell us about the ${c}.`,
  (a: string, b: string, c: string) =>
    `It is the third ${a} this week, and the ${b} is still waiting for a ${c}.`,
  (a: string, b: string, c: string) => `A better ${a} would make the ${b} simpler and the ${c} cheaper.`,
  (a: string, b: string, c: string) => `Someone asked whether the ${a} or the ${b} comes before the ${c}.`,
]

export function createCorpus(seed: number) {
  let state = seed
  const below = (most: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T
  // A topic is a few words of one field and fewer of another, so that topics overlap as those of people do.
  const topics = Array.from({ length: 400 }, () => {
    const [main, other] = [pick(fields), pick(fields)]
    return [...Array.from({ length: 7 }, () => pick(main)), ...Array.from({ length: 3 }, () => pick(other))]
  })
  const wordOf = (topic: readonly string[]): string => (below(10) < 8 ? pick(topic) : pick(pick(fields)))
  const sentence = (topic: readonly string[]): string =>
    pick(frames)(wordOf(topic), wordOf(topic), wordOf(topic))

  return {
    /** Some paragraphs about one topic after another. */
    document(paragraphs: number): string {
      return Array.from({ length: paragraphs }, () => {
        const topic = pick(topics)
        return Array.from({ length: 5 + below(12) }, () => sentence(topic)).join(' ')
      }).join('\n\n')
    },
    title: (): string => `About the ${pick(pick(topics))} and the ${pick(pick(topics))}`,
    /** Short, as people type them. */
    question(): string {
      const topic = pick(topics)
      const words = Array.from({ length: 2 + below(4) }, () => pick(topic))
      return below(2) === 0 ? words.join(' ') : `why did the ${words.join(' need a ')}`
    },
  }
}
