import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { z } from 'zod'
import { loadConfig } from '#kernel/config'
import { chooseRuntime } from '../../src/embeddings/choose-runtime.ts'
import type { Task } from '../../src/embeddings/contract.ts'
import { createEmbedder } from '../../src/embeddings/create-embedder.ts'
import { createBuiltin } from '../../src/embeddings/drivers/builtin.ts'
import type { Driver } from '../../src/embeddings/drivers/driver.ts'
import { openDriver } from '../../src/embeddings/open-driver.ts'
import { scoreOf } from '../../src/search/score.ts'
import { createBm25, wordsOf } from './bm25.ts'
import { cosine, pairAccuracy, ranking, retrieval, spearman } from './measures.ts'

/**
 * How good the vectors are: pairs of sentences graded from 5 (the same) to 0 (unrelated), and documents with a question
 * in other words and a query in their own words each. Both sets are ours. Beside the built-in model are BM25, the two together, and whatever the settings
 * lead to: a runtime at RUNTIME_URL, or an ONNX model.
 */
const read = (file: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'))
const pairs = z
  .array(z.object({ score: z.int(), first: z.string(), second: z.string() }))
  .parse(read('pairs.json'))
const { documents, queries } = z
  .object({
    documents: z.array(z.object({ id: z.string(), text: z.string() })),
    queries: z.array(z.object({ question: z.string(), keywords: z.string(), document: z.string() })),
  })
  .parse(read('retrieval.json'))

type Embed = (texts: readonly string[], task: Task) => Promise<Float32Array[]>
type Row = (string | number)[]
const ways = ['question', 'keywords'] as const
type Way = (typeof ways)[number]
/** For each way of asking, the documents for every query, best first. */
type Rankings = Record<Way, number[][]>
/** For each way of asking and every query, a number for each document. */
type Scores = Record<Way, number[][]>

async function similarity(name: string, embed: Embed): Promise<Row> {
  const first = await embed(
    pairs.map((pair) => pair.first),
    'clustering',
  )
  const second = await embed(
    pairs.map((pair) => pair.second),
    'clustering',
  )
  const found = first.map((vector, index) => cosine(vector, second[index] ?? vector))
  const graded = (isIn: (score: number) => boolean): number[] =>
    found.filter((_, at) => isIn(pairs[at]?.score ?? 0))
  const related = graded((score) => score >= 4)
  return [
    name,
    percent(
      spearman(
        found,
        pairs.map(({ score }) => score),
      ),
    ),
    percent(
      pairAccuracy(
        related,
        graded((score) => score === 0),
      ),
    ),
    percent(
      pairAccuracy(
        related,
        graded((score) => score === 1),
      ),
    ),
  ]
}

async function nearness(embed: Embed): Promise<Scores> {
  const held = await embed(
    documents.map(({ text }) => text),
    'search_document',
  )
  const scores = async (way: Way): Promise<number[][]> => {
    const asked = await embed(
      queries.map((query) => query[way]),
      'search_query',
    )
    return asked.map((vector) => held.map((other) => cosine(vector, other)))
  }
  return { question: await scores('question'), keywords: await scores('keywords') }
}

function rankByMeaning({ question, keywords }: Scores): Rankings {
  return { question: question.map(ranking), keywords: keywords.map(ranking) }
}

function rankByWords(): Rankings {
  const scores = createBm25(documents.map(({ text }) => text))
  // As in the product, a document without any of the words is not found by words.
  const rank = (way: Way): number[][] =>
    queries.map((query) => {
      const found = scores(query[way])
      return ranking(found).filter((document) => (found[document] ?? 0) > 0)
    })
  return { question: rank('question'), keywords: rank('keywords') }
}

/** All are of the same age. */
const at = new Date()

/** As the product does it: by the similarity and by the share of the words. */
function rankByBoth(near: Scores): Rankings {
  const both = (way: Way): number[][] =>
    queries.map((query, index) => {
      const asked = new Set(wordsOf(query[way]))
      const scores = documents.map(({ text }, document) => {
        const has = new Set(wordsOf(text))
        const share = [...asked].filter((word) => has.has(word)).length / asked.size
        const similarity = near[way][index]?.[document] ?? 0
        return scoreOf({ isExact: false, title: 0, words: share, similarity, at }, 0, at.getTime())
      })
      return ranking(scores)
    })
  return { question: both('question'), keywords: both('keywords') }
}

/** At which place the right document of each query came. */
const places = (rankings: readonly (readonly number[])[]): number[] =>
  rankings.map((each, index) => {
    const right = documents.findIndex(({ id }) => id === queries[index]?.document)
    const place = each.indexOf(right) + 1
    return place === 0 ? Infinity : place
  })

function retrievalRow(name: string, rankings: Rankings): Row {
  const figures = ways.flatMap((way) => {
    const { recallAt1, recallAt10, mrr } = retrieval(places(rankings[way]))
    return [recallAt1, recallAt10, mrr].map(percent)
  })
  return [name, ...figures]
}

function embedBy(driver: Driver, model: string, isPrefixed: boolean): Embed {
  const { embedder } = createEmbedder({ driver, model, fingerprint: model, isPrefixed, cacheBytes: 0 })
  return embedder.embed
}

function percent(value: number): string {
  return (value * 100).toFixed(1)
}

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const config = loadConfig()
const log = pino({ level: 'silent' })
const builtin = createBuiltin()
const builtIn = embedBy(builtin, 'signalbox-static-768', false)
const [byWords, near] = [rankByWords(), await nearness(builtIn)]
const similar = [await similarity('signalbox-static-768 (built-in)', builtIn)]
const found = [
  retrievalRow('BM25', byWords),
  retrievalRow('signalbox-static-768 (built-in)', rankByMeaning(near)),
  retrievalRow('both, as search joins them', rankByBoth(near)),
]

const choice = await chooseRuntime(config, log, undefined)
if (choice.driver !== 'builtin') {
  const { driver, isPrefixed } = openDriver(choice, config, log, builtin)
  const embed = embedBy(driver, choice.model, isPrefixed)
  const name = `${choice.model} (${choice.driver})`
  similar.push(await similarity(name, embed))
  found.push(retrievalRow(name, rankByMeaning(await nearness(embed))))
  await driver.close()
}
await builtin.close()

console.log(`Similarity: ${pairs.length} pairs of our own, graded 0 to 5\n`)
const senses = ['related above unrelated, %', 'related above the same word in another sense, %']
console.log(table(['Model', 'Spearman × 100', ...senses], similar))
console.log(
  `\nRetrieval: ${documents.length} documents about software operations; ${queries.length} are asked for by a question in other words, and by words of their own\n`,
)
const measures = ['first, %', 'in the first ten, %', 'MRR × 100']
console.log(table(['Ranked by', ...ways.flatMap((way) => measures.map((each) => `${way}: ${each}`))], found))
if (choice.driver === 'builtin')
  console.log(
    `\nNo runtime at ${config.RUNTIME_URL} holds ${config.EMBEDDING_MODEL}, so none stands beside it.`,
  )

const published = [
  ['signalbox-static-768', '76.4', '67.9', '73.3', '70.7'],
  ['its teachers together (gte-small, bge-small-en-v1.5)', '85.1', '–', '81.2', '77.2'],
  ['all-MiniLM-L6-v2', '81.8', '77.1', '77.7', '73.8'],
]
console.log(
  '\nMeasured when the model was made, on public sets, not by this run (Spearman × 100, MAP × 100):\n',
)
console.log(table(['Model', 'STS-B test', 'SICK', 'seven STS sets', 'TREC-QA MAP'], published))
