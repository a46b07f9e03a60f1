import type { Mutant } from './mutant.ts'

const maskTest = ['src/transcripts/mask/mask.test.ts']
const faultsTest = ['test/transcripts/watcher/faults.test.ts']
const followTest = ['test/transcripts/watcher/follow.test.ts']
const opencodeTest = ['test/transcripts/opencode-files.test.ts']
const commandTest = ['test/transcripts/watcher/watch-command.test.ts']

export const transcriptsWatcherMutants: readonly Mutant[] = [
  {
    guard: 'transcripts: a linked folder of parts is not followed',
    file: 'src/transcripts/assistants/opencode/storage-files.ts',
    text: ' || !isFolder(path)) return []',
    replacement: ') return []',
    tests: opencodeTest,
    name: 'out of the storage',
  },
  {
    guard: 'transcripts: a file that changed a moment ago is looked at again',
    file: 'src/transcripts/assistants/opencode/storage-files.ts',
    text: 'time < now - settledMs || time > now',
    replacement: 'time > 0',
    tests: opencodeTest,
    name: 'a moment ago',
  },
  {
    guard: 'transcripts: a message of opencode is counted once, when it has ended',
    file: 'src/transcripts/assistants/opencode/rows.ts',
    text: "if (time['completed'] !== undefined) changes.usage",
    replacement: 'changes.usage',
    tests: opencodeTest,
    name: 'is counted when it has ended',
  },
  {
    guard: 'transcripts: the files of opencode do not rename a session that its database has',
    file: 'src/transcripts/assistants/opencode/rows.ts',
    text: "isFromFiles ? 'summary' : 'generated'",
    replacement: "isFromFiles ? 'generated' : 'generated'",
    tests: opencodeTest,
    name: 'one session',
  },
  {
    guard: 'transcripts: a changed message is news of its session',
    file: 'src/transcripts/watcher/watcher.ts',
    text: 'if (session !== null) files.noteSession(root, session)',
    replacement: '',
    tests: opencodeTest,
    name: 'the watcher follows',
  },
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
