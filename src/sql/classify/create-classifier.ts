import type { Log } from '#kernel/log'
import type { Classifier } from './classification.ts'

export interface ClassifierOptions {
  log: Log
}

/** Two threads with PostgreSQL's grammar. They start at the first call. */
export function createClassifier(_options: ClassifierOptions): Classifier {
  throw new Error('not there yet')
}
