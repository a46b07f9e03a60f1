import type { TokenizerExtension, Tokens } from 'marked'

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

export const mathBlock = extension('mathBlock', 'block', block)
export const mathInline: TokenizerExtension = {
  ...extension('mathInline', 'inline', inline),
  start: (source) => source.match(/\$|\\[([]/)?.index,
}
