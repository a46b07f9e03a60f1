/** The parameter of an address that says which group it is of. */
const groupParameter = 'group_id'

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The group that an address names; null when it names none. */
export function groupOfAddress(search: string): string | null {
  const id = new URLSearchParams(search).get(groupParameter)
  return id !== null && isId.test(id) ? id : null
}

/** The path with the group as its last parameter, or without any. */
export function withGroup(path: string, id: string | null): string {
  const [beforeHash = '', ...hash] = path.split('#')
  const [pathname = '', ...search] = beforeHash.split('?')
  const kept = search
    .join('?')
    .split('&')
    .filter((part) => part !== '' && !part.startsWith(`${groupParameter}=`))
  const query = [...kept, ...(id === null ? [] : [`${groupParameter}=${id}`])].join('&')
  return `${pathname}${query === '' ? '' : `?${query}`}${hash.length === 0 ? '' : `#${hash.join('#')}`}`
}
