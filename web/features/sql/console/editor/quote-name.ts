/** Reserved in PostgreSQL: as the name of a table or column they need quotes. */
const reserved = new Set(
  `all analyse analyze and any array as asc asymmetric authorization between binary both case cast check collate
  collation column concurrently constraint create cross current_catalog current_date current_role current_schema
  current_time current_timestamp current_user default deferrable desc distinct do else end except false fetch for
  foreign freeze from full grant group having ilike in initially inner intersect into is isnull join lateral leading
  left like limit localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing
  primary references returning right select session_user similar some symmetric system_user table tablesample then to
  trailing true union unique user using variadic verbose when where window with`.split(/\s+/),
)

/** A name as a statement has it: in quotes where it needs them. */
export const quoted = (name: string): string =>
  /^[a-z_][a-z0-9_$]*$/.test(name) && !reserved.has(name) ? name : `"${name.replaceAll('"', '""')}"`

/** Tables of `public` go without their schema, as everybody writes them. */
export const relationName = ({ schema, name }: { schema: string; name: string }): string =>
  schema === 'public' ? quoted(name) : `${quoted(schema)}.${quoted(name)}`
