export { bucketOf, messagesOf } from './lists.ts'
export { mergeParts, type MergedPart, type StoredPart } from './merge.ts'
export {
  entryBytes,
  indexMessages,
  readEntry,
  secondsOf,
  type IndexedMessage,
  type IndexPart,
} from './part.ts'
export { allTerms, findMessages, termsOf, type MessageMarks, type PartQuery } from './find.ts'
export { sessionTerm } from './terms.ts'
