import { type Command, table } from '#kernel/command'
import { describeConfig, loadConfig, type ConfigLine } from '#kernel/config'

export const command: Command = {
  summary: 'Show every setting, its value and its meaning (secrets hidden)',
  usage: ['[--json]'],
  options: {},
  async run({ print }) {
    const lines = describeConfig(loadConfig())
    const rows = lines.map((line) => [line.name, line.value, line.source, meaning(line)])
    print(table(['VARIABLE', 'VALUE', 'FROM', 'MEANING'], rows), lines)
    return 0
  },
}

const meaning = ({ meaning: text, allowed }: ConfigLine): string =>
  allowed === null ? text : `${text} (${allowed})`
