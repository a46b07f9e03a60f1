import type {
  ColumnUse,
  Found,
  FoundFunction,
  FoundName,
  FoundOperation,
  FoundRelation,
  Mention,
} from './classification.ts'

/** What has been found in one statement so far. The same thing is kept once, where it is first met. */
export interface Findings {
  operations: FoundOperation[]
  functions: FoundFunction[]
  relations: FoundRelation[]
  operators: FoundName[]
  types: FoundName[]
  attributes: FoundName[]
  fieldCalls: FoundName[]
  /** Names of what a function returns in FROM, and of parameters: they may stand for a value that is no row. */
  valueNames: Found[]
  crossDatabase: Found[]
  sessionChanges: Found[]
  locks: Found[]
  dynamic: Found[]
  /** Every one of them, also of the same name. */
  mentions: Mention[]
  columns: ColumnUse[]
  rowNames: Found[]
  alters: Found[]
  isQuery: boolean
  isRename: boolean
  isOpaque: boolean
  needsNoTransaction: boolean
  carriesSecret: boolean
}

export type List = {
  [K in keyof Findings]: Findings[K] extends Found[] ? K : never
}[keyof Findings]

export interface Collector {
  findings: Findings
  add<K extends List>(list: K, found: Findings[K][number]): void
}

export function createCollector(): Collector {
  const findings: Findings = {
    operations: [],
    functions: [],
    relations: [],
    operators: [],
    types: [],
    attributes: [],
    fieldCalls: [],
    valueNames: [],
    crossDatabase: [],
    sessionChanges: [],
    locks: [],
    dynamic: [],
    mentions: [],
    columns: [],
    rowNames: [],
    alters: [],
    isQuery: true,
    isRename: false,
    isOpaque: false,
    needsNoTransaction: false,
    carriesSecret: false,
  }
  const seen = new Set<string>()
  return {
    findings,
    add(list, found) {
      let key: string = list
      for (const [name, value] of Object.entries(found)) if (name !== 'position') key += `\0${String(value)}`
      if (seen.has(key)) return
      seen.add(key)
      const target: Found[] = findings[list]
      target.push(found)
    },
  }
}
