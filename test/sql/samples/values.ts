/** Parameters never show in the SQL; these only have the right type. */
export const id = '00000000-0000-7000-8000-000000000000'
export const at = new Date('2026-01-15T12:00:00Z')
export const hash = Buffer.alloc(32)
