import { writeFileSync } from 'node:fs'
import { errorPage } from './errors.ts'

/** `npm run docs`: writes what the docs take from the code. */
writeFileSync('docs/errors.md', errorPage())
