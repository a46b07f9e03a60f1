import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { createLog } from '#kernel/log'
import { createClassifier } from './create-classifier.ts'

const isLinux = process.platform === 'linux'

/** The most memory that this process ever had, in megabytes. */
const peak = (): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024

test(
  'reading many statements takes little memory, also while the engine could optimise',
  { skip: !isLinux },
  async () => {
    const classifier = createClassifier({ log: await createLog({ level: 'silent', form: 'json' }) })
    after(() => classifier.close())
    const before = peak()
    const columns = Array.from({ length: 100 }, (_, at) => `a.c${at} + ${at}`).join(', ')
    for (let round = 0; round < 60; round++)
      await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          classifier.classify(
            `select ${columns} from t a left join u on u.id = a.id where a.x = ${round * at} group by 1 having count(*) > 1`,
            'execute',
          ),
        ),
      )
    assert.ok(peak() - before < 250, `${Math.round(before)} MB before, ${Math.round(peak())} MB at most`)
  },
)
