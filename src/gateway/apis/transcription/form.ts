import { invalidField } from '#kernel/errors'
import { checkModelName } from '../../catalog/registry.ts'
import type { Destination } from './destination.ts'

const formats = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json']
/** Subtitles and timestamps need the whole text. */
const neverStreamed = ['srt', 'verbose_json', 'vtt']
/** If one is given twice, the gateway and the provider could each use another value. */
const single = ['model', 'response_format', 'stream']
const decoder = new TextDecoder('utf-8', { fatal: true })

/** What the gateway itself must know of a transcription request; the provider checks the other fields. */
export class TranscriptionForm {
  isStream = false
  prompt = ''
  /** By how much the forwarded form is longer than the client's. */
  addedBytes = 0
  readonly #find: (model: string) => Destination
  readonly #seen = new Set<string>()
  #destination: Destination | undefined
  #format = 'json'

  /** `find` is called as soon as the model is known; it throws when no provider transcribes with it. */
  constructor(find: (model: string) => Destination) {
    this.#find = find
  }

  get hasModel(): boolean {
    return this.#destination !== undefined
  }

  get destination(): Destination {
    if (this.#destination) return this.#destination
    throw invalidField('model', 'is required')
  }

  /** Returns the value to send to the provider. */
  field(name: string, value: Buffer): Buffer {
    if (name === 'file') throw noFile()
    if (single.includes(name)) this.#once(name)
    if (name === 'model') return this.#readModel(value)
    if (name === 'response_format') this.#format = readFormat(textOf(name, value))
    if (name === 'stream') this.isStream = readSwitch(textOf(name, value))
    if (name === 'prompt') this.prompt = textOf(name, value)
    this.#checkTogether()
    return value
  }

  file(name: string, filename: string): void {
    if (single.includes(name)) throw invalidField(name, 'must be a string, not a file')
    if (name !== 'file') return
    this.#once(name)
    if (filename === '') throw noFile()
  }

  /** The form has ended. */
  finish(): void {
    if (!this.#seen.has('file')) throw noFile()
    void this.destination
  }

  #once(name: string): void {
    if (this.#seen.has(name)) throw invalidField(name, 'may be given only once')
    this.#seen.add(name)
  }

  #readModel(value: Buffer): Buffer {
    const model = textOf('model', value)
    if (model === '') throw invalidField('model', 'must not be empty')
    checkModelName(model)
    this.#destination = this.#find(model)
    if (this.#destination.upstreamModel === model) return value
    const replaced = Buffer.from(this.#destination.upstreamModel)
    this.addedBytes = replaced.length - value.length
    return replaced
  }

  #checkTogether(): void {
    if (this.isStream && neverStreamed.includes(this.#format))
      throw invalidField('stream', `cannot be true with response_format ${this.#format}: use json`)
  }
}

function readFormat(text: string): string {
  if (formats.includes(text)) return text
  throw invalidField('response_format', `must be one of ${formats.join(', ')}`)
}

function readSwitch(text: string): boolean {
  const word = text.toLowerCase()
  if (word === 'true' || word === '1') return true
  if (word === 'false' || word === '0' || word === '') return false
  throw invalidField('stream', 'must be true or false')
}

function textOf(name: string, value: Buffer): string {
  try {
    return decoder.decode(value)
  } catch {
    throw invalidField(name, 'is not valid UTF-8')
  }
}

const noFile = () => invalidField('file', 'is required and must be a file with a name')
