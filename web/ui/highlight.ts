export type Language = 'bash' | 'python' | 'typescript' | 'json' | 'sql'

export interface Token {
  kind: 'plain' | 'word' | 'text' | 'name' | 'note'
  text: string
}

const words: Record<Language, string> = {
  bash: 'curl|export',
  python: 'from|import|print|def|return|with|as|for|in|if|and|or|None|True|False',
  typescript: 'import|from|const|let|await|new|return|export|async|function|for|of|if',
  json: 'true|false|null',
  sql: [
    'select|from|where|insert|into|values|update|set|delete|create|table|index|drop|alter|add|column|and|or|not|null',
    'join|left|right|inner|outer|on|group|order|by|having|limit|offset|as|with|returning|distinct|union|all|exists|in|is',
    'case|when|then|else|end|begin|function|view|truncate|explain|analyze|primary|key|references|cascade|if|using|merge',
  ].join('|'),
}

const notes: Record<Language, string> = {
  bash: '(?<=^|\\s)#.*',
  python: '#.*',
  typescript: '//.*',
  json: '(?!)',
  sql: String.raw`--.*|/\*[\s\S]*?\*/`,
}

/** Strings, where they are not those of most languages. */
const texts: Partial<Record<Language, string>> = {
  bash: `"[^"]*"|'[^']*'`,
  sql: `'(?:[^']|'')*'`,
}

/** Simple highlighting for short examples, not a parser. The joined tokens equal the source. */
export function highlight(source: string, language: Language): Token[] {
  const strings = texts[language] ?? `"[^"\\n]*"|'[^'\\n]*'|\`[^\`]*\``
  const name = language === 'bash' ? '(?<=\\s)--?[A-Za-z][\\w-]*' : '[A-Za-z_]\\w*(?=\\()'
  const key = language === 'json' ? '"[^"\\n]*"(?=\\s*:)' : '(?!)'
  const pattern = new RegExp(
    `(?<note>${notes[language]})|(?<key>${key})|(?<text>${strings})|(?<word>\\b(?:${words[language]})\\b)|(?<name>${name})`,
    language === 'sql' ? 'gim' : 'gm',
  )
  const tokens: Token[] = []
  let end = 0
  for (const match of source.matchAll(pattern)) {
    if (match.index > end) tokens.push({ kind: 'plain', text: source.slice(end, match.index) })
    const { note, text, word } = match.groups ?? {}
    const kind = note ? 'note' : text ? 'text' : word ? 'word' : 'name'
    tokens.push({ kind, text: match[0] })
    end = match.index + match[0].length
  }
  if (end < source.length) tokens.push({ kind: 'plain', text: source.slice(end) })
  return tokens
}
