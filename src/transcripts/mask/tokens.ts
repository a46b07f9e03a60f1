import { masked } from './masked.ts'

/** Keys that are told by how they begin. The beginning stays, so that a reader sees what was there. */
interface Token {
  /** Every match begins with one of these. */
  marks: readonly string[]
  /** The beginning, and the rest as a group. */
  expression: RegExp
  /** The beginning also occurs in ordinary words: nothing of a word may be before it, and a digit must follow. */
  isAmbiguous: boolean
}

function token(marks: string, prefix: string, rest: string): Token {
  return {
    marks: marks.split(' '),
    expression: new RegExp(`(?:${prefix})(${rest})`, 'y'),
    isAmbiguous: false,
  }
}

function ambiguous(marks: string, prefix: string, rest: string): Token {
  return { ...token(marks, prefix, `(?=[\\w+/=.-]{0,200}\\d)${rest}`), isAmbiguous: true }
}

const tokens: readonly Token[] = [
  token('sk-', 'sk-(?:ant|proj|svcacct|admin|or|lf)-', '[\\w.-]{12,}'),
  token('sk_ rk_', '[sr]k_(?:live|test)_', '\\w{10,}'),
  ambiguous('sk- sk_', 'sk[-_]', '[\\w.-]{12,}'),
  ambiguous('sb- pplx- xai- tvly- csk- fw_', '(?:(?:sb|pplx|xai|tvly|csk)-|fw_)', '[\\w-]{16,}'),
  ambiguous('gsk_ nvapi- r8_ hf_ jina_', '(?:gsk_|nvapi-|r8_|hf_|jina_)', '[\\w-]{16,}'),
  token('AIza', 'AIza', '[\\w-]{20,}'),
  ambiguous('AQ. ya29. SG. dp.', '(?:AQ|ya29|SG|dp\\.(?:st|pt|ct|sa))\\.', '[\\w.-]{16,}'),
  token('GOCSPX-', 'GOCSPX-', '[\\w-]{20,}'),
  token('AKIA ASIA ABIA ACCA', '(?:AKIA|ASIA|ABIA|ACCA)', '[A-Z2-7]{16}(?![A-Za-z0-9])'),
  token('ABSK', 'ABSK', '[A-Za-z0-9+/=]{40,}'),
  token('ghp_ gho_ ghu_ ghs_ ghr_', 'gh[pousr]_', '[A-Za-z0-9]{16,}'),
  token('github_pat_', 'github_pat_', '\\w{20,}'),
  token(
    'glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- glrtr-',
    'gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|rtr)-',
    '[\\w.-]{16,}',
  ),
  token('glc_ glsa_', 'gl(?:c|sa)_', '[\\w+/=]{20,}'),
  token('xox', 'xox[abeoprs]-', '[\\w.-]{10,}'),
  token('xapp-', 'xapp-', '\\d[\\w-]{16,}'),
  token('hooks.slack.com/', 'hooks\\.slack\\.com/(?:services|workflows|triggers)/', '[\\w/]{16,}'),
  token('discord.com/api/ discordapp.com/api/', 'discord(?:app)?\\.com/api/webhooks/', '[\\w/-]{30,}'),
  token('whsec_', 'whsec_', '[\\w+/=]{16,}'),
  ambiguous(
    'npm_ pul- sntrys_ sntryu_ figd_ rubygems_ sbp_ shpat_ shpca_ shppa_ shpss_ lin_api_ lin_oauth_ ntn_ secret_',
    '(?:npm_|pul-|sntrys_|sntryu_|figd_|rubygems_|sbp_|shp(?:at|ca|pa|ss)_|lin_(?:api|oauth)_|ntn_|secret_)',
    '[\\w+/=-]{20,}',
  ),
  token('dop_v1_ doo_v1_ dor_v1_', 'do[opr]_v1_', '[a-f0-9]{32,}'),
  token('pypi-AgE', 'pypi-AgE', '[\\w-]{40,}'),
  token('dckr_', 'dckr_(?:pat|oat)_', '[\\w-]{20,}'),
  ambiguous('dapi', 'dapi', '[a-f0-9]{32}'),
  ambiguous('hvs. hvb. hvr.', 'hv[sbr]\\.', '[\\w-]{24,}'),
  token('tskey-', 'tskey-', '[\\w-]{16,}'),
  token('pscale_', 'pscale_(?:tkn|pw|oauth)_', '[\\w.=-]{20,}'),
  token('PMAK-', 'PMAK-', '[a-f0-9-]{30,}'),
  token('ATATT3x', 'ATATT3x', '[\\w=-]{40,}'),
  token('AGE-SECRET-KEY-1', 'AGE-SECRET-KEY-1', '[A-Z0-9]{40,}'),
  token(':AA', '(?<=\\d{8}):AA', '[\\w-]{32,}'),
  // A JSON Web Token; its payload names people and accounts, so only the beginning stays.
  token('eyJ', 'eyJ', '[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.[\\w-]{8,}'),
]

const tokensOf = new Map<string, Token[]>()
for (const each of tokens)
  for (const mark of each.marks) tokensOf.set(mark, [...(tokensOf.get(mark) ?? []), each])

/** One fast expression of plain strings: the patterns are only tried where one of them is. */
const anyMark = new RegExp([...tokensOf.keys()].map((mark) => mark.replaceAll('.', '\\.')).join('|'), 'g')

export function maskTokens(line: string): string {
  let result = ''
  let from = 0
  anyMark.lastIndex = 0
  for (let match = anyMark.exec(line); match !== null; match = anyMark.exec(line)) {
    const rest = restAt(line, match.index, tokensOf.get(match[0]) ?? [])
    if (rest === undefined) continue
    result += line.slice(from, rest.from) + masked
    from = rest.to
    anyMark.lastIndex = from
  }
  return from === 0 ? line : result + line.slice(from)
}

function restAt(line: string, at: number, candidates: Token[]): { from: number; to: number } | undefined {
  for (const { expression, isAmbiguous } of candidates) {
    if (isAmbiguous && isInsideWord(line, at)) continue
    expression.lastIndex = at
    const [whole = '', rest = ''] = expression.exec(line) ?? []
    if (whole === '') continue
    return { from: at + whole.length - rest.length, to: at + whole.length }
  }
  return undefined
}

/** Whether the character before belongs to a word, and not to an escape such as `\n` or the colours of a terminal. */
function isInsideWord(line: string, at: number): boolean {
  const before = line.slice(Math.max(0, at - 12), at)
  return /[A-Za-z0-9_-]$/.test(before) && !/(?:\\[nrtbf]|\\u[0-9a-fA-F]{4}|\[[\d;]*m)$/.test(before)
}
