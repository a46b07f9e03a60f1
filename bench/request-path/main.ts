import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { scenarios } from '../gateway/scenarios.ts'
import { checkout, measurePaths } from './measure.ts'
import type { CalledFunctions } from './profiler.ts'

const usage = `npm run path -- [options]
  Counts the source files in which a function runs for a chat completion, from its first byte to its response, and
  for a message of a stand-up, until the agent's turn is over.
  --scenario NAME     a scenario of bench:gateway (default plain)
  --checkout FOLDER   the checkout whose server is asked (default this one)`

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', default: 'plain' },
    checkout: { type: 'string', default: checkout },
    help: { type: 'boolean', default: false },
  },
})

const scenario = scenarios.find(({ name }) => name === values.scenario)
if (values.help || !scenario) console.log(usage)
else {
  const { chat, standup } = await measurePaths(resolve(values.checkout), scenario)
  print('chat completion', chat)
  print('message of a stand-up', standup)
}

function print(what: string, called: CalledFunctions): void {
  const files = [...called.keys()].toSorted()
  for (const file of files) console.log(`src/${file}: ${[...(called.get(file) ?? [])].join(', ')}`)
  const gateway = files.filter((file) => file.startsWith('gateway/'))
  console.log(`\n${what}: ${gateway.length} files of src/gateway, ${files.length} of src\n`)
}
