import type { Mutant } from './mutant.ts'

const textTest = ['src/kernel/http/body/text.test.ts']
const doorTest = ['src/kernel/http/body/door.test.ts']
const slowTest = ['src/kernel/http/body/slow-bodies.test.ts']
const budgetTest = ['src/kernel/http/body/budget.test.ts']
const stringsTest = ['src/kernel/http/body/long-strings.test.ts']
const collectTest = ['src/kernel/http/body/collect.test.ts']
const scanTest = ['src/kernel/http/body/json-scan.test.ts']

export const bodyMutants: readonly Mutant[] = [
  {
    guard: 'http: a body must be valid UTF-8',
    file: 'src/kernel/http/body/parse-text.ts',
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
    text: 'if (!isEscaped(bytes, at, from)) break',
    replacement: 'break',
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
    guard: 'http: a scan does not look beyond what has arrived',
    file: 'src/kernel/http/body/json-scan.ts',
    text: 'bytes.subarray(0, end).indexOf(quote, at)',
    replacement: 'bytes.indexOf(quote, at)',
    tests: scanTest,
  },
  {
    guard: 'http: a long string is not cut inside an escape',
    file: 'src/kernel/http/body/long-strings.ts',
    text: 'if (isEscaped(bytes, cut, from)) return cut - 1',
    replacement: '',
    tests: stringsTest,
  },
  {
    guard: 'http: a piece of a long string must be valid UTF-8',
    file: 'src/kernel/http/body/parse-text.ts',
    text: '{ fatal: true, ignoreBOM: true }',
    replacement: '{ ignoreBOM: true }',
    tests: stringsTest,
  },
  {
    guard: 'http: large JSON is refused while it arrives',
    file: 'src/kernel/http/body/collect.ts',
    text: 'if (this.#scan) scanJson(this.#bytes, this.#scan, length)',
    replacement: '',
    tests: collectTest,
  },
  {
    guard: 'http: a body of unknown length is not larger than its route permits',
    file: 'src/kernel/http/body/budget.ts',
    text: 'if (this.#received > this.#limit) return done(bodyTooLarge(this.#limit))',
    replacement: '',
    tests: collectTest,
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
  {
    guard: 'http: large bodies have a budget',
    file: 'src/kernel/http/body/budget.ts',
    text: 'if (this.#used - reserved + bytes > this.#limit) return exhausted()',
    replacement: '',
    tests: budgetTest,
  },
  {
    guard: 'http: the memory of a body is given back',
    file: 'src/kernel/http/body/budget.ts',
    text: "response.once('close', () => (this.#used -= reserved))",
    replacement: '',
    tests: budgetTest,
  },
  {
    guard: 'http: a body of unknown length is counted as it arrives',
    file: 'src/kernel/http/body/budget.ts',
    text: 'fault = this.#reserve(this.#reserved)',
    replacement: '',
    tests: budgetTest,
  },
  {
    guard: 'http: without identity a body may have 16 KiB',
    file: 'src/kernel/http/anonymous.ts',
    text: 'route.bodyLimit = Math.min(route.bodyLimit ?? maxBodyBytes, maxBodyBytes)',
    replacement: '',
    tests: doorTest,
  },
  {
    guard: 'http: the requests of an address without identity are limited',
    file: 'src/kernel/http/rate-limit.ts',
    text: 'if (tokens < 0) return Math.ceil(-tokens / perSecond)',
    replacement: '',
    tests: ['src/kernel/http/rate-limit.test.ts'],
  },
  {
    guard: 'http: an unknown route is refused before its body is read',
    file: 'src/kernel/http/refuse-early.ts',
    text: "if (request.is404 && request.method !== 'GET') return done(unknownRoute(app, request))",
    replacement: '',
    tests: doorTest,
  },
  {
    guard: 'http: the response to a refused body is not lost',
    file: 'src/kernel/http/error-handler.ts',
    text: "if (reply.hasHeader('connection')) void reply.header('connection', 'keep-alive')",
    replacement: '',
    tests: collectTest,
  },
  {
    guard: 'http: the rest of a refused body is read up to a limit',
    file: 'src/kernel/http/body/drain.ts',
    text: 'if (socket.bytesRead >= lastByte || now >= deadline) {',
    replacement: 'if (now < 0) {',
    tests: doorTest,
  },
  {
    guard: 'http: a body that drips is cut',
    file: 'src/kernel/http/body/slow-bodies.ts',
    text: 'if (isSlow || now - seen.began >= maxTimeouts * timeoutMs) endWith(socket, bodyTooSlow())',
    replacement: '',
    tests: slowTest,
  },
  {
    guard: 'http: headers must arrive in time',
    file: 'src/kernel/http/index.ts',
    text: 'headersTimeout: config.RECEIVE_TIMEOUT_MS,',
    replacement: '',
    tests: slowTest,
  },
]
