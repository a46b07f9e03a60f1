/** A request that was refused before its body was read names no model. */
export const modelName = (model: string | null): string => model || 'no model'
