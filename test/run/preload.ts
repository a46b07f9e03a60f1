import { reportAtExit } from './processor-time.ts'

reportAtExit()
