export interface GeminiCapabilities {
  /** 2.5, 3, 3.8, 4: decides call ids, signatures and how thinking is set. */
  generation: number
  /** How thinking is set; undefined where the model does not think. */
  thinking: 'level' | 'budget' | undefined
  /** The least thinking: a level, or a budget (0 switches it off). */
  lowestLevel: 'minimal' | 'low'
  lowestBudget: number
  highestBudget: number
  /** Takes a system instruction apart from the conversation. */
  systemInstruction: boolean
}

/** An alias such as `gemini-flash-latest` is taken for one of these. */
const latestGeneration = 3.8

export function capabilitiesOf(model: string): GeminiCapabilities {
  const isGemma = model.startsWith('gemma-')
  const version = /^gemini-(\d+(?:\.\d+)?)(?:-|$)/.exec(model)?.[1]
  const generation = isGemma ? 2 : version === undefined ? latestGeneration : Number(version)
  const isPro = /-pro(-|$)/.test(model)
  // Pro models, and everything from 3.7 on, have no level below low; low itself is accepted everywhere.
  const hasMinimal = /-flash(-|$)/.test(model) && generation < 3.7
  return {
    generation,
    thinking: generation >= 3 ? 'level' : generation >= 2.5 ? 'budget' : undefined,
    lowestLevel: hasMinimal ? 'minimal' : 'low',
    lowestBudget: isPro ? 128 : 0,
    highestBudget: isPro ? 32_768 : 24_576,
    systemInstruction: !isGemma,
  }
}
