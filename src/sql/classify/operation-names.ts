import type { Node } from './node.ts'

/** Words of object types that differ from their name in the grammar. */
const objects: Record<string, string> = {
  OBJECT_MATVIEW: 'MATERIALIZED VIEW',
  OBJECT_FDW: 'FOREIGN DATA WRAPPER',
  OBJECT_FOREIGN_SERVER: 'SERVER',
  OBJECT_TSPARSER: 'TEXT SEARCH PARSER',
  OBJECT_TSDICTIONARY: 'TEXT SEARCH DICTIONARY',
  OBJECT_TSTEMPLATE: 'TEXT SEARCH TEMPLATE',
  OBJECT_TSCONFIGURATION: 'TEXT SEARCH CONFIGURATION',
  OBJECT_OPCLASS: 'OPERATOR CLASS',
  OBJECT_OPFAMILY: 'OPERATOR FAMILY',
  OBJECT_STATISTIC_EXT: 'STATISTICS',
  OBJECT_TABCONSTRAINT: 'TABLE',
  OBJECT_DOMCONSTRAINT: 'DOMAIN',
  OBJECT_ATTRIBUTE: 'TYPE',
  OBJECT_USER_MAPPING: 'USER MAPPING',
  OBJECT_LARGEOBJECT: 'LARGE OBJECT',
}

function words(objectType: unknown): string {
  const name = String(objectType)
  return objects[name] ?? name.replace(/^OBJECT_/, '').replaceAll('_', ' ')
}

const transactions: Record<string, string> = {
  TRANS_STMT_BEGIN: 'BEGIN',
  TRANS_STMT_START: 'BEGIN',
  TRANS_STMT_COMMIT: 'COMMIT',
  TRANS_STMT_ROLLBACK: 'ROLLBACK',
  TRANS_STMT_SAVEPOINT: 'SAVEPOINT',
  TRANS_STMT_RELEASE: 'RELEASE',
  TRANS_STMT_ROLLBACK_TO: 'ROLLBACK',
  TRANS_STMT_PREPARE: 'PREPARE TRANSACTION',
  TRANS_STMT_COMMIT_PREPARED: 'COMMIT PREPARED',
  TRANS_STMT_ROLLBACK_PREPARED: 'ROLLBACK PREPARED',
}

function copyName(body: Node): string {
  const direction = body['is_from'] === true ? 'COPY FROM' : 'COPY TO'
  if (body['is_program'] === true) return `${direction} PROGRAM`
  return body['filename'] === undefined ? direction : `${direction} FILE`
}

function setName(body: Node): string {
  const name = String(body['name']).toLowerCase()
  if (name === 'role') return 'SET ROLE'
  if (name === 'session_authorization') return 'SET SESSION AUTHORIZATION'
  if (String(body['kind']).startsWith('VAR_RESET')) return 'RESET'
  return name.startsWith('transaction') && body['kind'] === 'VAR_SET_MULTI' ? 'SET TRANSACTION' : 'SET'
}

function renameName(body: Node): string {
  return `ALTER ${words(body['renameType'] === 'OBJECT_COLUMN' ? body['relationType'] : body['renameType'])}`
}

const alterObject = (body: Node): string => `ALTER ${words(body['objectType'])}`
const grant = (body: Node): string => (body['is_grant'] === true ? 'GRANT' : 'REVOKE')

type Name = string | ((body: Node) => string)

/** The name of every statement of PostgreSQL 18. What is not here is `UNKNOWN:…`, and refused. */
const names: Record<string, Name> = {
  SelectStmt: 'SELECT',
  InsertStmt: 'INSERT',
  UpdateStmt: 'UPDATE',
  DeleteStmt: 'DELETE',
  MergeStmt: 'MERGE',
  TruncateStmt: 'TRUNCATE',
  CopyStmt: copyName,
  ExplainStmt: 'EXPLAIN',
  VariableShowStmt: 'SHOW',
  VariableSetStmt: setName,
  ConstraintsSetStmt: 'SET CONSTRAINTS',
  TransactionStmt: (body) => transactions[String(body['kind'])] ?? 'UNKNOWN:TransactionStmt',
  PrepareStmt: 'PREPARE',
  ExecuteStmt: 'EXECUTE',
  DeallocateStmt: 'DEALLOCATE',
  DeclareCursorStmt: 'DECLARE CURSOR',
  FetchStmt: (body) => (body['ismove'] === true ? 'MOVE' : 'FETCH'),
  ClosePortalStmt: 'CLOSE',
  NotifyStmt: 'NOTIFY',
  ListenStmt: 'LISTEN',
  UnlistenStmt: 'UNLISTEN',
  LockStmt: 'LOCK TABLE',
  DiscardStmt: 'DISCARD',
  LoadStmt: 'LOAD',
  DoStmt: 'DO',
  CallStmt: 'CALL',
  ReturnStmt: 'RETURN',
  CheckPointStmt: 'CHECKPOINT',
  ClusterStmt: 'CLUSTER',
  ReindexStmt: 'REINDEX',
  VacuumStmt: (body) => (body['is_vacuumcmd'] === true ? 'VACUUM' : 'ANALYZE'),
  RefreshMatViewStmt: 'REFRESH MATERIALIZED VIEW',
  CommentStmt: 'COMMENT',
  SecLabelStmt: 'SECURITY LABEL',
  GrantStmt: grant,
  GrantRoleStmt: grant,
  AlterDefaultPrivilegesStmt: 'ALTER DEFAULT PRIVILEGES',
  DropOwnedStmt: 'DROP OWNED',
  ReassignOwnedStmt: 'REASSIGN OWNED',
  AlterSystemStmt: 'ALTER SYSTEM',
  ImportForeignSchemaStmt: 'IMPORT FOREIGN SCHEMA',

  CreateStmt: 'CREATE TABLE',
  CreateTableAsStmt: (body) => `CREATE ${words(body['objtype'])}`,
  CreateForeignTableStmt: 'CREATE FOREIGN TABLE',
  IndexStmt: 'CREATE INDEX',
  ViewStmt: 'CREATE VIEW',
  RuleStmt: 'CREATE RULE',
  CreateFunctionStmt: (body) => (body['is_procedure'] === true ? 'CREATE PROCEDURE' : 'CREATE FUNCTION'),
  DefineStmt: (body) => `CREATE ${words(body['kind'])}`,
  CompositeTypeStmt: 'CREATE TYPE',
  CreateEnumStmt: 'CREATE TYPE',
  CreateRangeStmt: 'CREATE TYPE',
  CreateDomainStmt: 'CREATE DOMAIN',
  CreateSeqStmt: 'CREATE SEQUENCE',
  CreateSchemaStmt: 'CREATE SCHEMA',
  CreateTrigStmt: 'CREATE TRIGGER',
  CreateEventTrigStmt: 'CREATE EVENT TRIGGER',
  CreatePolicyStmt: 'CREATE POLICY',
  CreateExtensionStmt: 'CREATE EXTENSION',
  CreateFdwStmt: 'CREATE FOREIGN DATA WRAPPER',
  CreateForeignServerStmt: 'CREATE SERVER',
  CreateUserMappingStmt: 'CREATE USER MAPPING',
  CreatePLangStmt: 'CREATE LANGUAGE',
  CreateCastStmt: 'CREATE CAST',
  CreateConversionStmt: 'CREATE CONVERSION',
  CreateTransformStmt: 'CREATE TRANSFORM',
  CreateOpClassStmt: 'CREATE OPERATOR CLASS',
  CreateOpFamilyStmt: 'CREATE OPERATOR FAMILY',
  CreateStatsStmt: 'CREATE STATISTICS',
  CreateAmStmt: 'CREATE ACCESS METHOD',
  CreatePublicationStmt: 'CREATE PUBLICATION',
  CreateSubscriptionStmt: 'CREATE SUBSCRIPTION',
  CreatedbStmt: 'CREATE DATABASE',
  CreateTableSpaceStmt: 'CREATE TABLESPACE',
  CreateRoleStmt: 'CREATE ROLE',

  DropStmt: (body) => `DROP ${words(body['removeType'])}`,
  DropUserMappingStmt: 'DROP USER MAPPING',
  DropSubscriptionStmt: 'DROP SUBSCRIPTION',
  DropdbStmt: 'DROP DATABASE',
  DropTableSpaceStmt: 'DROP TABLESPACE',
  DropRoleStmt: 'DROP ROLE',

  AlterTableStmt: (body) => `ALTER ${words(body['objtype'])}`,
  AlterTableMoveAllStmt: (body) => `ALTER ${words(body['objtype'])}`,
  RenameStmt: renameName,
  AlterObjectSchemaStmt: alterObject,
  AlterObjectDependsStmt: alterObject,
  AlterOwnerStmt: alterObject,
  AlterFunctionStmt: (body) => `ALTER ${words(body['objtype'])}`,
  AlterEnumStmt: 'ALTER TYPE',
  AlterTypeStmt: 'ALTER TYPE',
  AlterDomainStmt: 'ALTER DOMAIN',
  AlterSeqStmt: 'ALTER SEQUENCE',
  AlterEventTrigStmt: 'ALTER EVENT TRIGGER',
  AlterPolicyStmt: 'ALTER POLICY',
  AlterExtensionStmt: 'ALTER EXTENSION',
  AlterExtensionContentsStmt: 'ALTER EXTENSION',
  AlterFdwStmt: 'ALTER FOREIGN DATA WRAPPER',
  AlterForeignServerStmt: 'ALTER SERVER',
  AlterUserMappingStmt: 'ALTER USER MAPPING',
  AlterOpFamilyStmt: 'ALTER OPERATOR FAMILY',
  AlterOperatorStmt: 'ALTER OPERATOR',
  AlterTSConfigurationStmt: 'ALTER TEXT SEARCH CONFIGURATION',
  AlterTSDictionaryStmt: 'ALTER TEXT SEARCH DICTIONARY',
  AlterStatsStmt: 'ALTER STATISTICS',
  AlterCollationStmt: 'ALTER COLLATION',
  AlterPublicationStmt: 'ALTER PUBLICATION',
  AlterSubscriptionStmt: 'ALTER SUBSCRIPTION',
  AlterDatabaseStmt: 'ALTER DATABASE',
  AlterDatabaseSetStmt: 'ALTER DATABASE',
  AlterDatabaseRefreshCollStmt: 'ALTER DATABASE',
  AlterTableSpaceOptionsStmt: 'ALTER TABLESPACE',
  AlterRoleStmt: 'ALTER ROLE',
  AlterRoleSetStmt: 'ALTER ROLE',
}

export function operationName(type: string, body: Node): string {
  const name = names[type]
  if (name === undefined) return `UNKNOWN:${type}`
  return typeof name === 'string' ? name : name(body)
}
