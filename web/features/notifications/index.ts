export { typeNames } from './channel-words.ts'
