import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { ApiDocument } from '#kernel/http'

/** Checks values against schemas of the document, which are named by where they are in it. */
export function validatorOf(document: ApiDocument): (pointer: string, value: unknown) => string | undefined {
  const ajv = new Ajv2020({ strict: false, validateFormats: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', ...document }, undefined, false, false)
  return (pointer, value) => {
    const validate = ajv.getSchema(`document#${pointer}`)
    if (!validate) return `${pointer} is not in the document`
    return validate(value) === true ? undefined : `${pointer}: ${ajv.errorsText(validate.errors)}`
  }
}

export const pointerTo = (...parts: string[]): string =>
  parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')
