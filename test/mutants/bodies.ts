import type { Mutant } from './mutant.ts'

const textTest = ['src/kernel/http/body/text.test.ts']
const scanTest = ['src/kernel/http/body/json-scan.test.ts']

export const bodyMutants: readonly Mutant[] = [
  {
    guard: 'http: a body must be valid UTF-8',
    file: 'src/kernel/http/body/read-json.ts',
    text: '{ fatal: true }',
    replacement: '{}',
    tests: ['src/kernel/http/errors.test.ts'],
  },
  {
    guard: 'http: JSON that is nested too deeply is refused',
    file: 'src/kernel/http/body/json-depth.ts',
    text: 'if (level > maxDepth) throw tooDeep()',
    replacement: '',
    tests: textTest,
  },
  {
    guard: 'http: large JSON that is nested too deeply is refused before it is parsed',
    file: 'src/kernel/http/body/json-scan.ts',
    text: 'if (depth > maxDepth) throw tooDeep()',
    replacement: '',
    tests: scanTest,
  },
  {
    guard: 'http: an escaped quote does not end a string of JSON',
    file: 'src/kernel/http/body/json-scan.ts',
    text: 'if (!isEscaped(bytes, found)) return',
    replacement: 'return',
    tests: scanTest,
  },
  {
    guard: 'http: large JSON may have a limited number of members',
    file: 'src/kernel/http/body/json-scan.ts',
    text: 'if (members > jsonLimits.members) throw',
    replacement: 'if (members < 0) throw',
    tests: scanTest,
  },
  {
    guard: 'http: large JSON may have a limited number of values',
    file: 'src/kernel/http/body/json-scan.ts',
    text: 'if (values > jsonLimits.values) throw',
    replacement: 'if (values < 0) throw',
    tests: scanTest,
  },
  {
    guard: 'http: no text of a body contains NUL',
    file: 'src/kernel/http/body/check-text.ts',
    text: "if (text.includes('\\0')) return 'must not contain NUL characters'",
    replacement: '',
    tests: textTest,
  },
  {
    guard: 'http: no text of a body contains half of a surrogate pair',
    file: 'src/kernel/http/body/check-text.ts',
    text: 'text.isWellFormed() ?',
    replacement: 'text !== "" ?',
    tests: textTest,
  },
  {
    guard: 'http: no member of a body changes a prototype',
    file: 'src/kernel/http/body/check-text.ts',
    text: "key === '__proto__' || ",
    replacement: '',
    tests: ['src/kernel/http/errors.test.ts'],
  },
  {
    guard: 'http: no text of an address contains NUL',
    file: 'src/kernel/http/refuse-early.ts',
    text: "request.url.includes('%00')",
    replacement: "request.url === ''",
    tests: textTest,
  },
]
