import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ProviderId } from '../harness/gateway.ts'

/** Where an agent finds Signalbox, and a home of its own, so that nothing of this machine's user is read or changed. */
export interface Place {
  url: string
  key: string
  model: string
  home: string
}

export interface Agent {
  name: string
  /** As npm installs it. */
  package: string
  program: string
  /** Whose form it speaks itself: that provider gets its requests as they came, newest fields included. */
  native?: ProviderId
  /** Settles in, as the README tells a user to, and says how it is asked one question. */
  ask(question: string, place: Place): { args: string[]; environment: Record<string, string> }
}

const claudeCode: Agent = {
  name: 'Claude Code',
  package: '@anthropic-ai/claude-code@2.1.325',
  program: 'claude',
  native: 'anthropic',
  ask: (question, { url, key, model }) => ({
    args: ['-p', question, '--allowedTools', 'Bash,Read'],
    environment: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_MODEL: model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  }),
}

const codex: Agent = {
  name: 'Codex',
  package: '@openai/codex@0.166.0',
  program: 'codex',
  native: 'openai',
  ask(question, { url, key, model, home }) {
    write(
      join(home, '.codex/config.toml'),
      `model = "${model}"
model_provider = "signalbox"
web_search = "disabled"

[model_providers.signalbox]
name = "Signalbox"
base_url = "${url}/v1"
env_key = "SIGNALBOX_KEY"
wire_api = "responses"
`,
    )
    return {
      // The only command it is told to run is an echo, and its own sandbox cannot be had everywhere.
      args: ['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', question],
      environment: { SIGNALBOX_KEY: key },
    }
  },
}

const openCode: Agent = {
  name: 'opencode',
  package: 'opencode-ai@1.18.33',
  program: 'opencode',
  ask(question, { url, key, model, home }) {
    const provider = {
      npm: '@ai-sdk/openai-compatible',
      name: 'Signalbox',
      options: { baseURL: `${url}/v1`, apiKey: key },
      models: { [model]: { attachment: true, modalities: { input: ['text', 'image'], output: ['text'] } } },
    }
    const settings = { autoupdate: false, share: 'disabled', provider: { signalbox: provider } }
    write(join(home, '.config/opencode/opencode.json'), JSON.stringify(settings))
    return {
      args: ['run', '--model', `signalbox/${model}`, question],
      environment: { OPENCODE_DISABLE_MODELS_FETCH: '1' },
    }
  },
}

export const agents: readonly Agent[] = [claudeCode, codex, openCode]

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
