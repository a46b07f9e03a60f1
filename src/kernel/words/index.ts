export { highlight } from './highlight.ts'
export { isMatch } from './match.ts'
export { toTsquery, wordVector } from './postgres.ts'
export { parseQuery, type Query } from './query.ts'
