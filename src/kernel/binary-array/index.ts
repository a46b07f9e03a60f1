/*
 * Arrays in PostgreSQL's binary format. A driver writes arrays as text, where every value is escaped here and parsed
 * there; for thousands of events per call that costs more than the rest of the call.
 */

const oids = {
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  float8: 701,
  timestamptz: 1_184,
  uuid: 2_950,
  tsvector: 3_614,
  jsonb: 3_802,
} as const
/** Times are microseconds since 2000. */
const epochMs = Date.UTC(2000, 0)
const headerBytes = 20
const nullLength = -1

export function textArray(values: readonly (string | null)[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + 4 + (value === null ? 0 : Buffer.byteLength(value)), 0)
  const array = start('text', values.length, bytes)
  let at = headerBytes
  for (const value of values) {
    const length = value === null ? nullLength : array.write(value, at + 4)
    at = array.writeInt32BE(length, at) + Math.max(0, length)
  }
  return array
}

/** Values are JSON texts; the format puts its version, 1, in front of each. */
export function jsonbArray(values: readonly string[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + 5 + Buffer.byteLength(value), 0)
  const array = start('jsonb', values.length, bytes)
  let at = headerBytes
  for (const value of values) {
    array[at + 4] = 1
    const length = 1 + array.write(value, at + 5)
    at = array.writeInt32BE(length, at) + length
  }
  return array
}

export function uuidArray(values: readonly (string | null)[]): Buffer {
  return hexArray(
    'uuid',
    values.map((value) => value?.replaceAll('-', '') ?? null),
  )
}

export function hexArray(type: 'uuid' | 'bytea', values: readonly (string | null)[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + 4 + (value?.length ?? 0) / 2, 0)
  const array = start(type, values.length, bytes)
  let at = headerBytes
  for (const value of values) {
    const length = value === null ? nullLength : array.write(value, at + 4, 'hex')
    at = array.writeInt32BE(length, at) + Math.max(0, length)
  }
  return array
}

/** Values are already in the format of their type. */
export function bytesArray(values: readonly Uint8Array[], type: 'bytea' | 'tsvector' = 'bytea'): Buffer {
  const array = start(
    type,
    values.length,
    values.reduce((sum, { length }) => sum + 4 + length, 0),
  )
  let at = headerBytes
  for (const value of values) {
    array.set(value, array.writeInt32BE(value.length, at))
    at += 4 + value.length
  }
  return array
}

export function integerArray(type: 'int2' | 'int4', values: readonly number[]): Buffer {
  const size = type === 'int2' ? 2 : 4
  const array = start(type, values.length, values.length * (4 + size))
  let at = headerBytes
  for (const value of values) at = array.writeIntBE(value, array.writeInt32BE(size, at), size)
  return array
}

export function bigintArray(values: readonly (number | null)[]): Buffer {
  return eightBytes('int8', values, (array, value, at) => array.writeBigInt64BE(BigInt(value), at))
}

export function doubleArray(values: readonly (number | null)[]): Buffer {
  return eightBytes('float8', values, (array, value, at) => array.writeDoubleBE(value, at))
}

/** Values are milliseconds. */
export function timeArray(values: readonly (number | null)[]): Buffer {
  return eightBytes('timestamptz', values, (array, value, at) =>
    array.writeBigInt64BE(BigInt(Math.round(value - epochMs)) * 1_000n, at),
  )
}

function eightBytes(
  type: 'int8' | 'float8' | 'timestamptz',
  values: readonly (number | null)[],
  write: (array: Buffer, value: number, at: number) => void,
): Buffer {
  const bytes = values.reduce<number>((sum, value) => sum + (value === null ? 4 : 12), 0)
  const array = start(type, values.length, bytes)
  let at = headerBytes
  for (const value of values) {
    at = array.writeInt32BE(value === null ? nullLength : 8, at)
    if (value === null) continue
    write(array, value, at)
    at += 8
  }
  return array
}

/** One dimension that begins at 1, with or without nulls. */
function start(type: keyof typeof oids, length: number, bytes: number): Buffer {
  const array = Buffer.allocUnsafe(headerBytes + bytes)
  array.writeInt32BE(1, 0)
  array.writeInt32BE(1, 4)
  array.writeInt32BE(oids[type], 8)
  array.writeInt32BE(length, 12)
  array.writeInt32BE(1, 16)
  return array
}
