import type {
  Content,
  GenerationConfig,
  SafetySetting,
  ServiceTier,
  ThinkingConfig,
  ThinkingLevel,
  Tool,
  ToolConfig,
} from '@google/genai'

/**
 * The body of generateContent, put together from the SDK's parts. The SDK's own parameter object is another shape:
 * it has `config` with everything in it, which the SDK spreads over the body; the parts are the same on both sides.
 */
export interface GeminiRequest {
  contents: (Wire<Content> & { role: 'user' | 'model' })[]
  systemInstruction?: Wire<Content>
  tools?: Wire<Tool>[]
  toolConfig?: Wire<ToolConfig>
  safetySettings?: Wire<SafetySetting>[]
  generationConfig?: Omit<Wire<GenerationConfig>, 'thinkingConfig' | VertexOnly> & {
    thinkingConfig?: Omit<Wire<ThinkingConfig>, 'thinkingLevel'> & { thinkingLevel?: Level }
  }
  cachedContent?: string
  serviceTier?: Wire<ServiceTier>
  /** In the REST reference, but not yet in the SDK. */
  store?: boolean
}

/** The SDK has the names in capitals, the REST examples in small letters; the service takes both. */
type Level = `${ThinkingLevel}` | Lowercase<`${ThinkingLevel}`>

/** The SDK serves two products with the same types; the Gemini API refuses these. */
type VertexOnly = 'audioTimestamp' | 'routingConfig' | 'modelSelectionConfig'

/** The SDK's enumerations take no plain text; on the format there is nothing else. */
type Wire<Type> = Type extends string
  ? `${Type}`
  : Type extends object
    ? { [Key in keyof Type]: Wire<Type[Key]> }
    : Type
