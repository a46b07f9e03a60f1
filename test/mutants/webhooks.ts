import type { Mutant } from './mutant.ts'

const signatures = { file: 'src/webhooks/signatures.ts', tests: ['src/webhooks/signatures.test.ts'] }
const deliver = { file: 'src/webhooks/routes/deliver.ts', tests: ['src/webhooks/signatures.test.ts'] }

export const webhookMutants: readonly Mutant[] = [
  {
    guard: 'webhooks: a delivery is verified',
    ...deliver,
    text: 'if (claim(candidate.verifying, body))',
    replacement: 'if (candidate.verifying)',
    name: 'a missing or wrong signature',
  },
  {
    guard: 'webhooks: an address with something else than an ID asks the database nothing',
    ...deliver,
    text: 'if (!maybeId.safeParse(request.params).success) throw signatureMismatch(kind)',
    replacement: '',
    name: 'no UUID',
  },
  {
    guard: 'webhooks: the signature is over the body',
    ...signatures,
    text: '.update(prefix).update(body).digest()',
    replacement: '.update(prefix).digest()',
    name: 'without an ID in the address',
  },
  {
    guard: 'webhooks: an old generic delivery is refused',
    ...signatures,
    text: 'const toleranceSeconds = 300',
    replacement: 'const toleranceSeconds = 300_000',
    name: 'a generic delivery',
  },
  {
    guard: 'webhooks: the timestamp of a generic delivery is signed',
    ...signatures,
    text: 'hmacClaim(signature, `${timestamp}.`)',
    replacement: "hmacClaim(signature, '')",
    name: 'a generic delivery',
  },
  {
    guard: 'webhooks: what comes again soon is a repetition, whatever it says of its time',
    file: 'src/webhooks/delivery-store.ts',
    tests: ['src/webhooks/deliveries.test.ts'],
    text: 'const repetitionMinutes = 10',
    replacement: 'const repetitionMinutes = 0',
    name: 'ten minutes',
  },
  {
    guard: 'webhooks: an address with many wrong signatures waits',
    file: 'src/webhooks/routes/deliver.ts',
    text: 'wrong.count(request.ip)',
    replacement: 'void wrong',
    tests: signatures.tests,
    name: 'an address with many wrong signatures',
  },
  {
    guard: 'webhooks: an empty secret is refused',
    file: 'src/webhooks/shapes/hook.ts',
    text: ".min(8, 'must have at least 8 characters; leave it out to have one generated')",
    replacement: '',
    tests: signatures.tests,
    name: 'a secret is shown once',
  },
  {
    guard: 'webhooks: a paused webhook takes nothing',
    file: 'src/webhooks/hook-store.ts',
    text: ".where('kind', '=', kind)\n    .where('is_active', '=', true)",
    replacement: ".where('kind', '=', kind)",
    tests: signatures.tests,
    name: 'a new secret counts',
  },
  {
    guard: 'webhooks: a changed secret counts at once',
    file: 'src/webhooks/hooks.ts',
    text: 'onChange()\n',
    replacement: '\n',
    tests: signatures.tests,
    name: 'a webhook that is paused',
  },
  {
    guard: 'webhooks: less is read before the sender is known',
    ...deliver,
    text: 'const maxBytesWithoutId = 1024 * 1024',
    replacement: 'const maxBytesWithoutId = maxBytes',
    name: 'a body over the limit',
  },
  {
    guard: 'webhooks: a delivery with another ID and the same content is a duplicate',
    file: 'src/webhooks/deliveries.ts',
    text: "update(`${event ?? ''}\\n`)",
    replacement: "update(`${externalId ?? ''}\\n`)",
    tests: ['src/webhooks/deliveries.test.ts'],
    name: 'the same delivery twice',
  },
  {
    guard: 'webhooks: a delivery that is always cut off is not tried for ever',
    file: 'src/webhooks/delivery-store.ts',
    text: 'and attempts >= ${maxAttempts}',
    replacement: 'and attempts < 0',
    tests: ['src/webhooks/deliveries.test.ts'],
  },
]
