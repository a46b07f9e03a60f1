import type { Assistant } from './assistant.ts'
import { claudeCode } from './claude-code/index.ts'
import { cline } from './cline/index.ts'
import { codex } from './codex/index.ts'
import { copilot } from './copilot/index.ts'
import { gemini } from './gemini/index.ts'
import { opencode } from './opencode/index.ts'
import { pi } from './pi/index.ts'
import { qwen } from './qwen/index.ts'

export * from './assistant.ts'

export const assistants: readonly Assistant[] = [
  claudeCode,
  codex,
  opencode,
  gemini,
  qwen,
  copilot,
  pi,
  cline,
]
