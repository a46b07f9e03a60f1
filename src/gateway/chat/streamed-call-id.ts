/** Whether a piece begins another call under the same index, as some servers send them: it has a name and its own id. */
export function isOther(knownId: string, id: string, name: string): boolean {
  return knownId !== '' && id !== '' && id !== knownId && name !== ''
}
