import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readApiDocument } from './document.ts'
import { routesText } from './routes-text.ts'

/** Writes the types of the routes that the dashboard calls. */
const file = 'web/api/routes.ts'
writeFileSync(join(import.meta.dirname, '../..', file), routesText(await readApiDocument()))
console.log(file)
