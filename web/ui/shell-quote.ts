/** Within single quotes the shell takes everything as it is, except a single quote. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
