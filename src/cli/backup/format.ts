import { z } from 'zod'

/**
 * A backup is a gzip of lines: the header, the files of the usage journal, the tables, and a last line that proves that
 * the file is whole. It is data only: what tables there are and how they are built is known from the migrations.
 */
export const header = z.object({
  signalbox_backup: z.literal(1),
  version: z.string(),
  migration: z.string().nullable(),
  created_at: z.string(),
  /** The master key that sealed the provider keys; null when none is sealed. */
  master_key_id: z.string().nullable(),
  master_key: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/)
    .nullable(),
})
export type BackupHeader = z.infer<typeof header>

/** A file of the usage journal; its bytes follow in lines of base64, up to the line that ends a section. */
export const journalFile = z.object({
  journal_file: z.string().regex(/^\d+-\w+-[0-9a-f]{12}\/[\w-]+(?:\.[\w-]+)*$/),
})

export const sectionEnd = '\\.'
export const endLine = '{"end":true}'
