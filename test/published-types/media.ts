import type { Random } from './random.ts'

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const page = Buffer.from('%PDF-1.4\n%%EOF').toString('base64')

export function imagePart(random: Random) {
  const type = random.pick(['png', 'jpeg', 'gif', 'webp'])
  const url = random.pick([`data:image/${type};base64,${pixel}`, `https://example.com/picture.${type}`])
  return { type: 'image_url', image_url: { url, ...random.some(50, { detail: ['auto', 'low', 'high'] }) } }
}

export function filePart(random: Random) {
  const file = random.pick([
    { filename: 'page.pdf', file_data: `data:application/pdf;base64,${page}` },
    { filename: 'note.txt', file_data: `data:text/plain;base64,${Buffer.from('a note').toString('base64')}` },
  ])
  return { type: 'file', file }
}

export function audioPart(random: Random) {
  return { type: 'input_audio', input_audio: { data: pixel, format: random.pick(['wav', 'mp3']) } }
}
