/** In single quotes the shell takes everything literally except a single quote. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
