export { LimitBars, limitsFor } from './limit-bars.tsx'
export { limitText } from './limit-words.ts'
export { useSubjectName } from './subjects.ts'
