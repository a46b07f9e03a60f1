import type { Sample } from '../sample.ts'
import { claudeCodeSample } from './claude-code.ts'
import { clineSample } from './cline.ts'
import { codexSample } from './codex.ts'
import { copilotSample } from './copilot.ts'
import { geminiSample } from './gemini.ts'
import { opencodeSample } from './opencode.ts'
import { piSample } from './pi.ts'
import { qwenSample } from './qwen.ts'

export const samples: Sample[] = [
  claudeCodeSample,
  codexSample,
  opencodeSample,
  geminiSample,
  qwenSample,
  copilotSample,
  piSample,
  clineSample,
]
