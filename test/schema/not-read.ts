/** Columns that no query of ours names: those of the library for sign-in, and those that the database fills. */
export const notRead: Readonly<Record<string, readonly string[]>> = {}
