/**
 * The server scenarios of the official conformance suite, which npx fetches: on a server of ours with the tools,
 * resources and prompts that the suite calls by name, and, where it needs none of these, on the product itself. The
 * suite says so when something that is left out here passes after all. `npm run mcp:conformance`
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startProduct, temporaryFolder } from '#test/product'
import { addressWithKey } from './front.ts'
import { npx } from './npx.ts'
import { startSampleServer } from './samples/server.ts'

const released = '@modelcontextprotocol/conformance@0.1.16'
/** The first that has the scenarios of 2026, and holds every message against the schema of its version. */
const newest = '@modelcontextprotocol/conformance@0.2.0-alpha.12'

const noLogging = 'the protocol deprecates logging; progress says how far a call is'
const noAsking =
  'a server that keeps nothing between requests cannot ask within one; the version of 2026 asks between two, which is tested'
const noSubscriptions = 'no stream stays open, and nothing that is offered changes but with the key'
const noSessions = 'there are no sessions, which are optional: the scenario warns and checks nothing'
const noTasks = 'an extension of the protocol: a run of an agent is asked for by its own tool'

const notOffered2025: Readonly<Record<string, string>> = {
  'logging-set-level': noLogging,
  'tools-call-with-logging': noLogging,
  'tools-call-sampling': noAsking,
  'tools-call-elicitation': noAsking,
  'elicitation-sep1034-defaults': noAsking,
  'elicitation-sep1330-enums': noAsking,
  'resources-subscribe': noSubscriptions,
  'resources-unsubscribe': noSubscriptions,
  'server-sse-polling': noSessions,
  'server-sse-multiple-streams': noSessions,
}

const notOffered2026: Readonly<Record<string, string>> = {
  'server-stateless:sep-2575-server-sends-subscription-ack': noSubscriptions,
  'server-stateless:sep-2575-server-tags-subscription-id': noSubscriptions,
  ...Object.fromEntries(
    [
      ...['lifecycle', 'capability-negotiation', 'wire-fields', 'request-state-removal', 'mrtr-input'],
      ...['request-headers', 'dispatch-and-envelope', 'required-task-error', 'mrtr-composition'],
    ].map((name) => [`tasks-${name}`, noTasks]),
  ),
}

const samples = await addressWithKey(await startSampleServer())

for (const { suite, choice, count, notOffered } of [
  { suite: released, choice: ['--suite', 'all'], count: 32, notOffered: notOffered2025 },
  { suite: newest, choice: ['--requirements', '2025-11-25'], count: 33, notOffered: notOffered2025 },
  { suite: newest, choice: ['--requirements', '2026-07-28'], count: 50, notOffered: notOffered2026 },
])
  test(`conformance: ${count} scenarios of ${suite} (${choice.join(' ')}), but for what we do not offer`, async () => {
    const baseline = join(temporaryFolder(), 'not-offered.yml')
    writeFileSync(baseline, ['server:', ...Object.keys(notOffered).map((name) => `  - ${name}`)].join('\n'))
    const { code, output } = await npx([
      ...[suite, 'server', '--url', samples, ...choice],
      ...['--expected-failures', baseline],
    ])
    assert.equal(code, 0, output)
    const [, summary = ''] = output.split('=== SUMMARY ===')
    assert.equal(summary.match(/^[✓✗] /gm)?.length, count, output)
  })

const product = await addressWithKey(await startProduct())

for (const [version, scenarios] of Object.entries({
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'],
  '2026-07-28': ['tools-list', 'resources-list', 'sep-2164-resource-not-found', 'dns-rebinding-protection'],
}))
  for (const scenario of scenarios)
    test(`conformance: the product passes ${scenario} of ${version}`, async () => {
      const { code, output } = await npx([
        ...[newest, 'server', '--url', product],
        ...['--scenario', scenario, '--spec-version', version],
      ])
      assert.equal(code, 0, output)
      assert.match(output, /Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/)
    })
