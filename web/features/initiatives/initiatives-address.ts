export interface InitiativesAddress {
  status?: 'active' | 'paused' | 'done'
  /** The form for a new one is open. */
  new?: true
}

/** Of the list; unknown parameters are dropped. */
export function readInitiativesAddress(search: Record<string, unknown>): InitiativesAddress {
  const { status } = search
  return {
    ...((status === 'active' || status === 'paused' || status === 'done') && { status }),
    ...(search['new'] === true && { new: true }),
  }
}

/** Of one initiative: the decision or the document that is open. */
export interface InitiativeAddress {
  decision?: string
  document?: string
}

export function readInitiativeAddress(search: Record<string, unknown>): InitiativeAddress {
  const { decision, document } = search
  return {
    ...(typeof decision === 'string' && decision !== '' && { decision }),
    ...(typeof document === 'string' && document !== '' && { document }),
  }
}
