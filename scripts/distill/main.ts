import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { distill } from './distill.ts'
import { openTeacher } from './teacher.ts'

const usage = `node scripts/distill/main.ts --teacher FOLDER[:cls] … --sentences FILE --vocabulary FILE --output FOLDER
  --teacher     folder with tokenizer.json and an ONNX model; its numbers are averaged over the tokens, or with :cls
                taken from the first one. Give two of 384 dimensions, or one of 768
  --sentences   one a line, as many as you can get under a licence that allows it
  --vocabulary  vocab.txt of the teachers, one token a line
  --output      where the model is written; signalbox models check FOLDER tries it
  --name        what it is called (default static-768)
  --epochs 3  --batch 1024  --rate 0.002  --seed 1

The built-in model: --teacher gte-small --teacher bge-small-en-v1.5:cls, three epochs, 126,523 sentences.`

const { values } = parseArgs({
  options: {
    teacher: { type: 'string', multiple: true, default: [] },
    sentences: { type: 'string' },
    vocabulary: { type: 'string' },
    output: { type: 'string' },
    name: { type: 'string', default: 'static-768' },
    epochs: { type: 'string', default: '3' },
    batch: { type: 'string', default: '1024' },
    rate: { type: 'string', default: '0.002' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})

const linesOf = (file: string): string[] => [
  ...new Set(
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

const { sentences, vocabulary, output } = values
if (values.help || values.teacher.length === 0 || !sentences || !vocabulary || !output) {
  console.log(usage)
  process.exitCode = values.help ? 0 : 2
} else {
  const teachers = await Promise.all(
    values.teacher.map((given) =>
      openTeacher(given.replace(/:cls$/, ''), given.endsWith(':cls') ? 'cls' : 'mean'),
    ),
  )
  await distill({
    teachers,
    sentences: linesOf(sentences),
    vocabulary: readFileSync(vocabulary, 'utf8').replace(/\n$/, '').split('\n'),
    name: values.name,
    folder: output,
    training: {
      epochs: Number(values.epochs),
      batch: Number(values.batch),
      rate: Number(values.rate),
      seed: Number(values.seed),
      onStep: (step, steps, loss) => console.log(`step ${step} of ${steps}, loss ${loss.toFixed(4)}`),
    },
  })
  console.log(`Written to ${output}. Try it: npx signalbox models check ${output}`)
}
