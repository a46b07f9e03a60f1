import { type Command, type CommandArguments } from '#kernel/command'
import { examine } from '../doctor/examine.ts'
import { writeSupport } from '../doctor/support.ts'

export const command: Command = {
  summary: 'Check this installation and show how to fix problems',
  usage: [
    '[--json]',
    '--support [FILE] [--log FILE] [--json]',
    '(--support writes what helpers need into a file, without secrets: versions, checks, sizes, queues, settings)',
    '(--log adds the last lines of a log, - those of standard input: journalctl -u "signalbox@*" -o cat | signalbox doctor --support --log -)',
  ],
  options: { support: { type: 'boolean' }, log: { type: 'string' } },
  async run(given) {
    return given.flags['support'] === true ? writeSupport(given) : check(given)
  },
}

async function check({ print }: CommandArguments): Promise<number> {
  const findings = await examine()
  const lines = findings.map(
    ({ ok, isWarning, check: name, detail }) =>
      `${isWarning ? 'warn' : ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(14)} ${detail}`,
  )
  const failed = findings.filter((finding) => !finding.ok).length
  print(
    `${lines.join('\n')}\n\n${failed === 0 ? 'No problems found.' : `${failed} ${failed === 1 ? 'problem' : 'problems'} found.`}`,
    { ok: failed === 0, findings },
  )
  return failed === 0 ? 0 : 1
}
