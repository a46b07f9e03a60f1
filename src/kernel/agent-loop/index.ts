export { resultMessage, runLoop, skipped, type LoopEnd, type LoopHooks } from './loop.ts'
export { LoopStop } from './loop-stop.ts'
export type { LoopCall, LoopTool, Outcome, Waits } from './tool.ts'
export { cut, maxData, untrusted } from './untrusted.ts'
