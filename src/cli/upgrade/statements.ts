/** What we read of PostgreSQL's tree of a migration: only the statements that touch tables. */
export interface Parsed {
  stmts?: { stmt: Statement }[]
}

export interface Relation {
  schemaname?: string
  relname: string
}

export interface Constraint {
  contype: string
  skip_validation?: boolean
  indexname?: string
  pktable?: Relation
  raw_expr?: unknown
  generated_kind?: string
}

export interface Column {
  typeName?: { names?: { String: { sval: string } }[] }
  constraints?: { Constraint: Constraint }[]
}

export interface TableChange {
  subtype: string
  def?: { ColumnDef?: Column; Constraint?: Constraint }
}

export interface Constrained {
  tableElts?: { ColumnDef?: Column; Constraint?: Constraint }[]
  inhRelations?: { RangeVar: Relation }[]
}

/** Tables and triggers have lists of names; nothing else is looked at. */
export interface Dropped {
  removeType: string
  objects: { List: { items: { String: { sval: string } }[] } }[]
}

interface On {
  relation: Relation
}

export interface Statement {
  AlterTableStmt?: On & { cmds?: { AlterTableCmd: TableChange }[] }
  IndexStmt?: On & { concurrent?: boolean }
  CreateStmt?: On & Constrained
  DropStmt?: Dropped
  TruncateStmt?: { relations: { RangeVar: Relation }[] }
  UpdateStmt?: On
  DeleteStmt?: On
  InsertStmt?: On
  MergeStmt?: On
  CreateTrigStmt?: On
  RenameStmt?: { relation?: Relation }
  DoStmt?: object
}
