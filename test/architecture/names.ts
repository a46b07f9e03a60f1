import { isTest, parse, type Sources } from './source.ts'

/** The providers and the families of their models. */
const names =
  /openai|open[-_ ]ai\b|anthropic|gemini|google|perplexity|open[-_ ]?router|claude|\bgpt(?!-tokenizer)-?|chatgpt|sonar|sonnet|haiku|\bsk-(?:ant|or)-|dall-e|\bo\d-(?:mini|pro)|\bopus\b|whisper/i

/** Files that may name a provider, each with the reason. A line that nothing needs any more fails the test. */
export type Exemptions = Readonly<Record<string, string>>

/** The providers, and the coding assistants, which are named after them. */
const folders = ['src/gateway/providers/', 'src/transcripts/assistants/']

/** Every place in the product, outside these folders, that names a provider in an identifier or a string. */
export function providerNames(sources: Sources, exempt: Exemptions): string[] {
  return [...sources].flatMap(([file, text]) =>
    isTest(file) || folders.some((folder) => file.startsWith(folder)) || file in exempt
      ? []
      : namesIn(file, text),
  )
}

/** Exempt files that name no provider. */
export function needlessExemptions(sources: Sources, exempt: Exemptions): string[] {
  return Object.keys(exempt).filter((file) => namesIn(file, sources.get(file) ?? '').length === 0)
}

function namesIn(file: string, text: string): string[] {
  const parsed = parse(file, text)
  // A file of ours that is imported is checked under its own name.
  const paths = new Set(parsed.imports.map(({ specifier }) => specifier).filter((path) => /^[.#]/.test(path)))
  return [{ text: file, line: 1 }, ...parsed.words]
    .filter((word) => names.test(word.text) && !paths.has(word.text))
    .map((word) => `${file}:${word.line} names ${names.exec(word.text)?.[0]}`)
}
