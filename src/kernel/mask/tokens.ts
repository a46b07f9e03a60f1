import { endOfRun, limited, type Span } from './masked.ts'

/** Keys that are known by how they begin. The beginning stays, so that a reader sees what was there. */
export interface Token {
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
    expression: new RegExp(`(?:${prefix})(${limited(rest)})`, 'y'),
    isAmbiguous: false,
  }
}

function ambiguous(marks: string, prefix: string, rest: string): Token {
  return { ...token(marks, prefix, `(?=[\\w+/=.-]{0,200}\\d)${rest}`), isAmbiguous: true }
}

const tokens: readonly Token[] = [
  // Models.
  token('sk-', 'sk-(?:ant|proj|svcacct|admin|or|lf)-', '[\\w.-]{12,}'),
  token('sk_ rk_', '[sr]k_(?:live|test)_', '\\w{10,}'),
  ambiguous('sk- sk_', 'sk[-_]', '[\\w.-]{12,}'),
  { ...token('sb-', 'sb-', '[\\w-]{40,}'), isAmbiguous: true },
  ambiguous('sb- pplx- xai- tvly- csk- fw_', '(?:(?:sb|pplx|xai|tvly|csk)-|fw_)', '[\\w-]{16,}'),
  ambiguous('gsk_ nvapi- r8_ hf_ jina_ api_org_', '(?:gsk_|nvapi-|r8_|hf_|jina_|api_org_)', '[\\w-]{16,}'),
  ambiguous('lsv2_ pcsk_ rpa_ fc-', '(?:lsv2_[ps][tk]_|pcsk_|rpa_|fc-(?=[0-9a-f]{32}))', '[\\w-]{28,}'),
  // Clouds.
  token('AIza', 'AIza', '[\\w-]{20,}'),
  ambiguous('AQ. ya29. SG. dp.', '(?:AQ|ya29|SG|dp\\.(?:st|pt|ct|sa|scim|audit))\\.', '[\\w.-]{16,}'),
  ambiguous('sl. t1.', '(?:sl|t1)\\.', '[\\w=-]{60,}(?:\\.[\\w=-]{60,})?'),
  token('GOCSPX-', 'GOCSPX-', '[\\w-]{20,}'),
  token('AKIA ASIA ABIA ACCA', '(?:AKIA|ASIA|ABIA|ACCA)', '[A-Z2-7]{16}(?![A-Za-z0-9])'),
  token('ABSK', 'ABSK', '[A-Za-z0-9+/=]{40,}'),
  ambiguous('LTAI AQVN', '(?:LTAI|AQVN)', '[\\w-]{12,}'),
  token('0Q~ 1Q~ 2Q~ 3Q~ 4Q~ 5Q~ 6Q~ 7Q~ 8Q~ 9Q~', '(?<=[\\w~.]{3})\\dQ~', '[\\w~.-]{31,}'),
  token('dop_v1_ doo_v1_ dor_v1_', 'do[opr]_v1_', '[a-f0-9]{32,}'),
  ambiguous('dapi dkea dose', 'd(?:api|kea|ose)', '[a-f0-9]{32}'),
  token('v1.0-', 'v1\\.0-', '[a-f0-9]{24}-[a-f0-9]{100,}'),
  ambiguous(
    'fo1_ fm1 fm2_ HRKU- vcp_ nfp_ rnd_ rdme_',
    '(?:fo1_|fm1[ar]_|fm2_|HRKU-|vcp_|nfp_|rnd_|rdme_)',
    '[\\w+/=-]{20,}',
  ),
  token('.atlasv1.', '\\.atlasv1\\.', '[\\w=-]{40,}'),
  // Code and builds.
  token('ghp_ gho_ ghu_ ghs_ ghr_', 'gh[pousr]_', '[A-Za-z0-9]{16,}'),
  token('github_pat_', 'github_pat_', '\\w{20,}'),
  token(
    'glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- glrtr- gloas- glffct- glwt-',
    'gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|rtr|oas|ffct|wt)-',
    '[\\w.-]{16,}',
  ),
  token('GR1348941', 'GR1348941', '[\\w-]{20,}'),
  token('pypi-AgE', 'pypi-AgE', '[\\w-]{40,}'),
  token('dckr_', 'dckr_(?:pat|oat)_', '[\\w-]{20,}'),
  token('ATATT3x ATCTT3x ATBB', 'AT(?:[AC]TT3x|BB)', '[\\w=-]{24,}'),
  token('CCIPAT_ CCIPRJ_ bkua_ CLOJARS_', '(?:CCIP(?:AT|RJ)_|bkua_|CLOJARS_)', '\\w{20,}'),
  ambiguous(
    'sgp_ squ_ sqp_ sqa_ tfp_ pnu_ AKC cmVmdGtu',
    '(?:sgp_|sq[upa]_|tfp_|pnu_|AKC[a-zA-Z]|cmVmdGtu)',
    '\\w{30,}',
  ),
  ambiguous(
    'npm_ pul- sntrys_ sntryu_ figd_ rubygems_ sbp_ shpat_ shpca_ shppa_ shpss_ lin_api_ lin_oauth_ ntn_ secret_',
    '(?:npm_|pul-|sntrys_|sntryu_|figd_|rubygems_|sbp_|shp(?:at|ca|pa|ss)_|lin_(?:api|oauth)_|ntn_|secret_)',
    '[\\w+/=-]{20,}',
  ),
  // Operations.
  token('glc_ glsa_', 'gl(?:c|sa)_', '[\\w+/=]{20,}'),
  token('eyJrIjoi', 'eyJrIjoi', '[\\w+/=-]{40,}'),
  token('NRAK- NRJS- NRII- NRRA-', 'NR(?:AK|JS|II|RA)-', '[\\w-]{19,}'),
  token('dt0', 'dt0[a-z]\\d\\d\\.[A-Z0-9]{24}\\.', '[A-Z0-9]{64}'),
  ambiguous('hvs. hvb. hvr.', 'hv[sbr]\\.', '[\\w-]{24,}'),
  token('tskey-', 'tskey-', '[\\w-]{16,}'),
  token('pscale_', 'pscale_(?:tkn|pw|oauth)_', '[\\w.=-]{20,}'),
  token('PMAK- PMAT-', 'PMA[KT]-', '[A-Za-z0-9-]{20,}'),
  token('sha256~', 'sha256~', '[\\w-]{40,}'),
  token('AGE-SECRET-KEY-1', 'AGE-SECRET-KEY-1', '[A-Z0-9]{40,}'),
  token('ops_eyJ', 'ops_eyJ', '[\\w+/=-]{40,}'),
  token('A3-', 'A3-', '[A-Z0-9]{6}-[A-Z0-9-]{20,}'),
  ambiguous(
    'dnkey- ico- API- api- key-',
    '(?:dnkey-|ico-(?=[A-Za-z0-9]{32})|API-(?=[A-Z0-9]{26})|api-(?=[0-9a-f]{8}-)|key-(?=[0-9a-f]{32}))',
    '[\\w=-]{20,}',
  ),
  // Messages and mail.
  token('xox', 'xox[abceoprs](?:\\.xox[bp])?-', '[\\w.-]{10,}'),
  token('xapp-', 'xapp-', '\\d[\\w-]{16,}'),
  token('hooks.slack.com/', 'hooks\\.slack\\.com/(?:services|workflows|triggers)/', '[\\w/]{16,}'),
  token('discord.com/api/ discordapp.com/api/', 'discord(?:app)?\\.com/api/webhooks/', '[\\w/-]{30,}'),
  token('webhook.office.com/', 'webhook\\.office\\.com/webhookb2/', '[\\w/@-]{40,}'),
  token(':AA', '(?<=\\d{8}):AA', '[\\w-]{32,}'),
  token('xkeysib- xsmtpsib-', 'x(?:keys|smtps)ib-', '[\\w-]{40,}'),
  ambiguous(
    'SK0 SK1 SK2 SK3 SK4 SK5 SK6 SK7 SK8 SK9 SKa SKb SKc SKd SKe SKf',
    'SK',
    '[0-9a-f]{32}(?![\\w-])',
  ),
  ambiguous('re_', 're_(?=[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20})', '\\w{20,}'),
  ambiguous('pat', 'pat(?:(?=[A-Za-z0-9]{14}\\.[a-f0-9]{40})|-(?=(?:na|eu)\\d-))', '[\\w.-]{30,}'),
  ambiguous('EAA', 'EAA', '[\\w-]{50,}'),
  // Payments.
  token('whsec_', 'whsec_', '[\\w+/=]{16,}'),
  token('sq0', 'sq0[a-z]{3}-', '[\\w-]{20,}'),
  token('access_token$production$', 'access_token\\$production\\$', '[a-z0-9$]{30,}'),
  token('FLWSECK', 'FLWSECK(?:_TEST)?-', '[\\w-]{12,}'),
  ambiguous('EZAK EZTK shippo_ duffel_', '(?:EZ[AT]K|(?:shippo|duffel)_(?:live|test)_)', '[\\w-]{32,}'),
  ambiguous('live_ test_', '(?:live|test)_', '[0-9a-f]{35,}'),
  // A JSON Web Token; its payload names people and accounts, so only the beginning stays. It begins a word, so that
  // each word is read once.
  { ...token('eyJ', 'eyJ', '[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.[\\w-]{8,}'), isAmbiguous: true },
]

/** What follows each beginning. */
export const tokensByMark = new Map<string, Token[]>()
for (const each of tokens)
  for (const mark of each.marks) tokensByMark.set(mark, [...(tokensByMark.get(mark) ?? []), each])

/** The secret part of a token that begins at a place. */
export function restAt(line: string, at: number, candidates: readonly Token[]): Span | undefined {
  for (const { expression, isAmbiguous } of candidates) {
    if (isAmbiguous && isInsideWord(line, at)) continue
    expression.lastIndex = at
    const [whole = '', rest = ''] = expression.exec(line) ?? []
    if (whole === '') continue
    const span = { from: at + whole.length - rest.length, to: at + whole.length }
    return { ...span, to: endOfRun(line, span) }
  }
  return undefined
}

/** Whether the character before belongs to a word, and not to an escape such as `\n` or the colours of a terminal. */
function isInsideWord(line: string, at: number): boolean {
  if (at === 0 || !/[A-Za-z0-9_-]/.test(line[at - 1] ?? '')) return false
  return !/(?:\\[nrtbf]|\\u[0-9a-fA-F]{4}|\[[\d;]*m)$/.test(line.slice(Math.max(0, at - 12), at))
}
