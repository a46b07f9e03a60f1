import { Marked, type Token, type Tokens, type TokenizerExtension } from 'marked'

/** Longer than any formula; a delimiter that is never closed must not make the parser search the whole text. */
const limit = 4000

const block = new RegExp(
  `^ {0,3}(?:\\$\\$[^]{1,${limit}}?\\$\\$|\\\\\\[[^]{1,${limit}}?\\\\\\])[ \\t]*(?:\\n+|$)`,
)
const inline = new RegExp(
  [
    `^\\$\\$[^]{1,${limit}}?\\$\\$`,
    `^\\\\\\([^]{1,${limit}}?\\\\\\)`,
    `^\\\\\\[[^]{1,${limit}}?\\\\\\]`,
    // As in Pandoc: no space inside the dollars and no digit after them, so that "$5 and $10" stays text.
    `^\\$(?![\\s$])[^$\\n]{0,${limit}}?(?<!\\s)\\$(?!\\d)`,
  ].join('|'),
)

/** Formulas stay as they are written: Markdown would read their underscores, asterisks and backslashes as markup. */
const extension = (name: string, level: 'block' | 'inline', pattern: RegExp): TokenizerExtension => ({
  name,
  level,
  tokenizer(source): Tokens.Generic | undefined {
    const raw = pattern.exec(source)?.[0]
    return raw === undefined ? undefined : { type: name, raw, text: raw.trim() }
  },
})

const mathBlock = extension('mathBlock', 'block', block)
const mathInline: TokenizerExtension = {
  ...extension('mathInline', 'inline', inline),
  start: (source) => source.match(/\$|\\[([]/)?.index,
}

/** What a reader sees as one piece. The HTML in it is not sanitised yet. */
export type Block =
  | { kind: 'code'; text: string; language: string }
  | { kind: 'list'; start: number | null; items: Block[][] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'text'; text: string }
  | { kind: 'html'; html: string }

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const marked = new Marked({
  gfm: true,
  breaks: true,
  extensions: [mathBlock, { ...mathInline, renderer: ({ raw }) => escapeHtml(raw) }],
  renderer: {
    // The page and its sections have the first two levels.
    heading({ tokens, depth }) {
      const tag = `h${Math.min(6, depth + 2)}`
      return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>\n`
    },
    // Loading a remote image would report the reader to its author, so it becomes a link.
    image: ({ href, text }) => `<a href="${escapeHtml(href)}">${escapeHtml(text || href)}</a>`,
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
})

interface Settled {
  /** The beginning of the text, as far as more text at the end cannot change it. */
  source: string
  blocks: Block[]
}

/**
 * Reads Markdown that grows at its end, as a streamed response does: what is settled is not read again. A code fence
 * that is not closed runs to the end, since the rest may still be arriving.
 */
export function createMarkdownParser(): (source: string) => Block[] {
  let settled: Settled = { source: '', blocks: [] }
  return (source) => {
    try {
      const from = source.startsWith(settled.source) ? settled : { source: '', blocks: [] }
      const tokens = marked.lexer(source.slice(from.source.length))
      // The definition of a link counts for the whole text, also for what stands before it.
      if (Object.keys(tokens.links).length > 0) return blocksOf(marked.lexer(source))
      const done = settledTokens(tokens)
      settled = {
        source: from.source + done.map(({ raw }) => raw).join(''),
        blocks: [...from.blocks, ...blocksOf(done)],
      }
      return [...settled.blocks, ...blocksOf(tokens.slice(done.length))]
    } catch {
      // Thousands of nested quotes exhaust the stack of the parser.
      return [{ kind: 'text', text: source }]
    }
  }
}

/** All but the last two blocks: the next line may still belong to the last one, or join it to the one before. */
function settledTokens(tokens: readonly Token[]): Token[] {
  const places = tokens.flatMap(({ type }, index) => (type === 'space' ? [] : [index]))
  return tokens.slice(0, places.at(-2) ?? 0)
}

function blocksOf(tokens: readonly Token[]): Block[] {
  const blocks: Block[] = []
  let pending: Token[] = []
  const flush = () => {
    if (pending.length > 0) blocks.push({ kind: 'html', html: marked.parser(pending) })
    pending = []
  }
  for (const token of tokens) {
    const block = containerOf(token)
    // The checkbox of a task and the text after it belong on one line.
    if (block === null && (token.type === 'checkbox' || token.type === 'text')) pending.push(token)
    else {
      flush()
      if (block) blocks.push(block)
      else if (token.type !== 'space' && token.type !== 'def') pending.push(token)
      if (token.type !== 'text') flush()
    }
  }
  flush()
  return blocks
}

/** Blocks that are drawn by components of their own, because code may be in them. */
function containerOf(token: Token): Block | null {
  if (token.type === 'code') {
    const { text, lang } = token as Tokens.Code
    return { kind: 'code', text, language: /^[\w+#.-]+/.exec(lang ?? '')?.[0].toLowerCase() ?? '' }
  }
  if (token.type === 'list') {
    const { ordered, start, items } = token as Tokens.List
    return {
      kind: 'list',
      start: ordered ? Number(start) : null,
      items: items.map((item) => blocksOf(item.tokens)),
    }
  }
  if (token.type === 'blockquote')
    return { kind: 'quote', blocks: blocksOf((token as Tokens.Blockquote).tokens) }
  if (token.type === 'mathBlock') return { kind: 'text', text: String((token as Tokens.Generic)['text']) }
  return null
}
