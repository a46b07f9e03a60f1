import { invalid } from '#kernel/errors'

const parameter = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;]*))/i
/** The characters and the length that RFC 2046 allows, with room for clients that write longer ones. */
const allowed = /^[\w'()+,\-./:=? ]{1,200}$/

/** The boundary of a multipart form, from the request's content type. */
export function readBoundary(contentType: string | undefined): string {
  if (contentType === undefined || !/^\s*multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw invalid('Send the audio as multipart/form-data, with the fields "file" and "model".')
  }
  const found = parameter.exec(contentType)
  const boundary = found?.[1] ?? found?.[2] ?? ''
  if (boundary === '') throw invalid('The content type multipart/form-data must name its boundary.')
  if (!allowed.test(boundary)) throw invalid('The boundary in the content type is not valid.')
  return boundary
}
