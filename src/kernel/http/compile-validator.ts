import type { FastifySchemaCompiler } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { refuseUnknownFields } from './unknown-fields.ts'

/** Validates by the zod schema, and a body also against fields that the schema does not have. */
export const compileValidator: FastifySchemaCompiler<z.ZodType> = (route) => {
  const validate = validatorCompiler(route)
  if (route.httpPart !== 'body') return validate
  return (body) => {
    const result = validate(body) as { value?: unknown; error?: Error }
    const error = result.error ?? refuseUnknownFields(route.schema, body)
    return error ? { error } : result
  }
}
