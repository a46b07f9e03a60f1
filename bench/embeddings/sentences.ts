const subjects = [
  'The nightly backup',
  'A worker process',
  'Our staging cluster',
  'The payment service',
  'One replica',
]
const verbs = [
  'stopped responding',
  'was restarted',
  'ran out of memory',
  'recovered on its own',
  'lost its lease',
]
const causes = [
  'after the deployment',
  'while the disk filled up',
  'because a certificate expired',
  'during the failover',
]

const pick = (words: readonly string[], at: number): string => words[at % words.length] ?? ''

/** A short text that no other number has: about fifteen words, as a log title or a question has them. */
export function sentence(index: number): string {
  const subject = pick(subjects, index)
  const verb = pick(verbs, Math.floor(index / 5))
  const cause = pick(causes, Math.floor(index / 25))
  return `${subject} ${verb} ${cause}, and request ${index} had to be retried by hand.`
}
