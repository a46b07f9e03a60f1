import type { ClassifiedStatement } from './classification.ts'
import type { Context, Grammar } from './context.ts'
import { createCollector, type Collector, type Findings } from './findings.ts'
import { skipSpace } from './lexer.ts'
import { locateBytes, type Locate } from './locate.ts'
import type { Node } from './node.ts'
import { mayHoldPassword, withoutStrings } from './secrets.ts'
import { visitStatement } from './statements.ts'
import { wordsOf } from './naming.ts'
import { shapeOf } from './shape/shape-of.ts'
import { visitRun } from './walk.ts'

export interface FullGrammar extends Grammar {
  normalize(sql: string): string
}

/** All statements of a text, with everything found in each. Throws where the text does not parse. */
export function readStatements(text: string, grammar: FullGrammar): ClassifiedStatement[] {
  if (skipSpace(text, 0) === text.length) return []
  const locate = locateBytes(text)
  return grammar.parse(text).map((node) => readStatement(text, node, locate, grammar))
}

function readStatement(text: string, node: Node, locate: Locate, grammar: FullGrammar): ClassifiedStatement {
  const start = locate(node['stmt_location']) ?? 0
  const length = node['stmt_len']
  const to =
    typeof length === 'number'
      ? (locate(Number(node['stmt_location'] ?? 0) + length) ?? text.length)
      : text.length
  const from = skipSpace(text, start)
  const statement = text.slice(from, to)
  const collector = createCollector()
  const context: Context = {
    grammar,
    onStatement: visitStatement,
    collector,
    text,
    statement,
    locate,
    anchor: from,
    inner: false,
    isPlanned: false,
    mode: 'read',
    ctes: new Set(),
    depth: 0,
  }
  visitRun(node['stmt'], context)
  const { findings } = collector
  noteFieldsOfValues(collector)
  if (findings.dynamic.length > 0 && mayHoldPassword(statement)) findings.carriesSecret = true
  return {
    ...findings,
    from,
    to,
    isReadOnly: isReadOnly(findings),
    words: wordsOf(node['stmt']),
    shape: shapeOf(node['stmt'], statement.length),
    normalized: findings.carriesSecret ? withoutStrings(grammar.normalize(statement)) : statement,
  }
}

/** FROM is read after what is selected, so only the whole statement tells which names stand for values. */
function noteFieldsOfValues({ findings, add }: Collector): void {
  const values = new Set(findings.valueNames.map(({ name }) => name))
  if (values.size === 0) return
  for (const { name, of, position } of findings.columns)
    if (of !== null && name !== '*' && (values.has(of) || values.has('*')))
      add('fieldCalls', { name, schema: null, position })
}

const reads = new Set(['SELECT', 'EXPLAIN', 'SHOW'])

function isReadOnly(findings: Findings): boolean {
  return (
    findings.operations.every(({ name }) => reads.has(name)) &&
    findings.sessionChanges.length === 0 &&
    findings.locks.length === 0 &&
    !findings.isOpaque
  )
}
