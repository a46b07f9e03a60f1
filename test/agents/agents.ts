import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AssistantId } from '../../src/transcripts/assistants/index.ts'
import { clientBlock } from '../documents/blocks.ts'
import type { ProviderId } from '../harness/gateway.ts'

/** Where an agent finds Signalbox, and a home of its own, so that nothing of this machine's user is read or changed. */
export interface Place {
  url: string
  key: string
  model: string
  home: string
  /** Where the provider itself is, for an agent whose API the gateway does not serve. */
  geminiUrl: string
}

export interface Agent {
  name: string
  /** As npm installs it. */
  package: string
  program: string
  assistant: AssistantId
  /** The only provider whose models it is asked on; all of them otherwise. */
  only?: ProviderId
  /** It sends no pictures to a model that it does not know. */
  isBlind?: boolean
  /** It speaks to the provider, not to the gateway, and so is not metered. */
  isDirect?: boolean
  /** It sends the id of its session with every request. */
  sendsSession?: boolean
  /** Whose form it speaks itself: that provider gets its requests as they came, newest fields included. */
  native?: ProviderId
  /** The process that it leaves running in the background, if it does. */
  daemon?(home: string): number | undefined
  /** Settles in, as its page of docs/clients tells a user to, where it has one, and says how it is asked one question. */
  ask(question: string, place: Place): { args: string[]; environment: Record<string, string> }
}

const claudeCode: Agent = {
  name: 'Claude Code',
  package: '@anthropic-ai/claude-code@2.1.325',
  program: 'claude',
  assistant: 'claude-code',
  sendsSession: true,
  native: 'anthropic',
  ask: (question, { url, key, model }) => ({
    args: ['-p', question, '--allowedTools', 'Bash,Read'],
    environment: {
      ...exportsOf(settings({ page: 'claude-code.md', file: 'settings.sh' }, { url, model }), key),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  }),
}

const codex: Agent = {
  name: 'Codex',
  package: '@openai/codex@0.166.0',
  program: 'codex',
  assistant: 'codex',
  sendsSession: true,
  native: 'openai',
  ask(question, { url, key, model, home }) {
    write(
      join(home, '.codex/config.toml'),
      settings({ page: 'codex.md', file: 'config.toml' }, { url, model }),
    )
    return {
      // The only command it is asked to run is an echo, and its own sandbox cannot be had everywhere.
      args: ['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', question],
      environment: { SIGNALBOX_KEY: key },
    }
  },
}

const openCode: Agent = {
  name: 'opencode',
  package: 'opencode-ai@1.18.33',
  program: 'opencode',
  assistant: 'opencode',
  sendsSession: true,
  ask(question, { url, key, model, home }) {
    const page = settings({ page: 'opencode.md', file: 'opencode.json' }, { url, model })
    const all = { ...(JSON.parse(page) as object), autoupdate: false, share: 'disabled' }
    write(join(home, '.config/opencode/opencode.json'), JSON.stringify(all))
    return {
      args: ['run', '--model', `signalbox/${model}`, question],
      environment: { SIGNALBOX_KEY: key, OPENCODE_DISABLE_MODELS_FETCH: '1' },
    }
  },
}

const gemini: Agent = {
  name: 'Gemini CLI',
  package: '@google/gemini-cli@0.61.0',
  program: 'gemini',
  assistant: 'gemini',
  only: 'gemini',
  isDirect: true,
  native: 'gemini',
  ask(question, { key, model, home, geminiUrl }) {
    const settings = { security: { auth: { selectedType: 'gemini-api-key' } } }
    write(join(home, '.gemini/settings.json'), JSON.stringify(settings))
    return {
      args: ['-p', question, '-y', '--skip-trust', '-m', model],
      environment: { GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: geminiUrl },
    }
  },
}

const qwen: Agent = {
  name: 'Qwen Code',
  package: '@qwen-code/qwen-code@0.24.4',
  program: 'qwen',
  assistant: 'qwen',
  only: 'anthropic',
  ask: (question, { url, key, model }) => ({
    args: ['-y', '--auth-type', 'openai', '--openai-api-key', key, '--openai-base-url', `${url}/v1`].concat([
      '-m',
      model,
      '-p',
      question,
    ]),
    environment: {},
  }),
}

const copilot: Agent = {
  name: 'Copilot CLI',
  package: '@github/copilot@1.0.102',
  program: 'copilot',
  assistant: 'copilot',
  only: 'anthropic',
  isBlind: true,
  ask: (question, { url, key, model }) => ({
    args: ['-p', question, '--allow-all-tools', '--allow-all-paths'],
    environment: {
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: key,
      COPILOT_MODEL: model,
      COPILOT_AUTO_UPDATE: 'false',
    },
  }),
}

const pi: Agent = {
  name: 'pi',
  package: '@earendil-works/pi-coding-agent@0.87.1',
  program: 'pi',
  assistant: 'pi',
  only: 'anthropic',
  ask(question, { url, key, model, home }) {
    const provider = {
      baseUrl: `${url}/v1`,
      api: 'openai-completions',
      apiKey: key,
      models: [{ id: model, input: ['text', 'image'] }],
    }
    write(join(home, '.pi/agent/models.json'), JSON.stringify({ providers: { signalbox: provider } }))
    return {
      args: ['--provider', 'signalbox', '--model', model, '--offline', '-p', question],
      environment: { PI_OFFLINE: '1' },
    }
  },
}

const cline: Agent = {
  name: 'Cline',
  package: 'cline@3.0.65',
  program: 'cline',
  assistant: 'cline',
  only: 'anthropic',
  ask(question, { url, key, model, home }) {
    const settings = { provider: 'openai-compatible', apiKey: key, model, baseUrl: `${url}/v1` }
    const stored = { settings, updatedAt: new Date().toISOString(), tokenSource: 'manual' }
    const providers = {
      version: 1,
      lastUsedProvider: settings.provider,
      providers: { [settings.provider]: stored },
    }
    write(join(home, '.cline/data/settings/providers.json'), JSON.stringify(providers))
    return { args: ['--provider', settings.provider, '-m', model, question], environment: {} }
  },
  daemon(home) {
    const file = join(home, '.cline/data/locks/hub/production.json')
    if (!existsSync(file)) return undefined
    const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid?: unknown }
    return typeof pid === 'number' ? pid : undefined
  },
}

export const agents: readonly Agent[] = [claudeCode, codex, openCode, gemini, qwen, copilot, pi, cline]

/** What a page of docs/clients says, with the model of a test in place of its own. */
function settings(
  from: { page: string; file: string },
  { url, model }: Pick<Place, 'url' | 'model'>,
): string {
  return clientBlock(from.page, from.file, url).replaceAll('claude-sonnet-5-5', model)
}

function exportsOf(script: string, key: string): Record<string, string> {
  const found = script.matchAll(/^export (\w+)=(\S+)/gm)
  return Object.fromEntries(
    [...found].map(([, name, value = '']) => [name, value.replace('$SIGNALBOX_KEY', key)]),
  )
}

export function endDaemon(agent: Agent, home: string): void {
  const pid = agent.daemon?.(home)
  if (pid === undefined) return
  try {
    process.kill(pid)
  } catch {
    // It has ended already.
  }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** All of them, or those that AGENTS names. */
export function chosenOf<T>(all: readonly T[], agentOf: (each: T) => Agent): readonly T[] {
  const names = process.env['AGENTS']?.split(',')
  return all.filter((each) => names?.includes(agentOf(each).assistant) ?? true)
}
