import type { Mutant } from './mutant.ts'

const maskTest = ['src/transcripts/mask/mask.test.ts']
const faultsTest = ['test/transcripts/watcher/faults.test.ts']
const followTest = ['test/transcripts/watcher/follow.test.ts']
const commandTest = ['test/transcripts/watcher/watch-command.test.ts']

export const transcriptsWatcherMutants: readonly Mutant[] = [
  {
    guard: 'transcripts: signatures of thinking are not masked',
    file: 'src/transcripts/mask/secrets.ts',
    text: 'if (!line.includes(\'":"\')) return mask(line)',
    replacement: 'if (line) return mask(line)',
    tests: maskTest,
  },
  {
    guard: 'transcripts: sealed thinking is not cut out as an image',
    file: 'src/transcripts/mask/images.ts',
    text: 'if (near.includes(\'"redacted_thinking"\')) return undefined',
    replacement: '',
    tests: maskTest,
  },
  {
    guard: 'transcripts: a link is not followed',
    file: 'src/transcripts/watcher/scan.ts',
    text: 'else if (entry.isSymbolicLink()) {',
    replacement: 'else if (false) {',
    tests: followTest,
  },
  {
    guard: 'transcripts: a replaced file is read from its beginning',
    file: 'src/transcripts/watcher/read/read-lines.ts',
    text: 'identity.inode !== String(stat.ino)',
    replacement: 'false',
    tests: faultsTest,
  },
  {
    guard: 'transcripts: a file that changed and did not grow is read from its beginning',
    file: 'src/transcripts/watcher/file-list.ts',
    text: "if (source.form === 'lines' && before?.inode === stamp.inode && before.size === stamp.size)",
    replacement: 'if (false)',
    tests: faultsTest,
  },
  {
    guard: 'transcripts: the key is not sent over plain http',
    file: 'src/transcripts/commands/watch.ts',
    text: "if (url.protocol === 'http:' && !isLoopback(url.hostname))",
    replacement: 'if (false)',
    tests: commandTest,
  },
]
