export interface GeminiModel {
  id: string
  name: string
  /** Generation: 2.5, 3, 3.8, 4. Decides signatures, call ids and the thinking field. */
  generation: number
  output: number
  levels: string[]
  /** Range of the thinking budget; absent where levels rule alone. */
  budget: { minimum: number; maximum: number; canBeOff: boolean } | undefined
  systemInstruction: boolean
}

const fromLow = ['low', 'medium', 'high']
const fromMinimal = ['minimal', ...fromLow]
const shared = { output: 65_536, budget: undefined, systemInstruction: true }

export const geminiModels: GeminiModel[] = [
  {
    ...shared,
    id: 'gemini-4-argon',
    name: 'Gemini 4 Argon',
    generation: 4,
    output: 262_144,
    levels: fromLow,
  },
  {
    ...shared,
    id: 'gemini-4-carbon',
    name: 'Gemini 4 Carbon',
    generation: 4,
    output: 262_144,
    levels: fromLow,
  },
  { ...shared, id: 'gemini-3.8-flash', name: 'Gemini 3.8 Flash', generation: 3.8, levels: fromLow },
  { ...shared, id: 'gemini-3.7-flash', name: 'Gemini 3.7 Flash', generation: 3.7, levels: fromLow },
  { ...shared, id: 'gemini-3.6-flash', name: 'Gemini 3.6 Flash', generation: 3.6, levels: fromMinimal },
  { ...shared, id: 'gemini-3.5-flash', name: 'Gemini 3.5 Flash', generation: 3.5, levels: fromMinimal },
  {
    ...shared,
    id: 'gemini-3.5-flash-lite',
    name: 'Gemini 3.5 Flash-Lite',
    generation: 3.5,
    levels: fromMinimal,
  },
  {
    ...shared,
    id: 'gemini-3.5-transcribe',
    name: 'Gemini 3.5 Transcribe',
    generation: 3.5,
    levels: fromMinimal,
  },
  {
    ...shared,
    id: 'gemini-3.1-pro-preview',
    name: 'Gemini 3.1 Pro Preview',
    generation: 3.1,
    levels: fromLow,
  },
  {
    ...shared,
    id: 'gemini-3-flash-preview',
    name: 'Gemini 3 Flash Preview',
    generation: 3,
    levels: fromMinimal,
  },
  { ...shared, id: 'gemini-flash-latest', name: 'Gemini Flash Latest', generation: 3.8, levels: fromLow },
  {
    ...shared,
    id: 'gemini-2.5-pro',
    name: 'Gemini 2.5 Pro',
    generation: 2.5,
    levels: [],
    budget: { minimum: 128, maximum: 32_768, canBeOff: false },
  },
  {
    ...shared,
    id: 'gemini-2.5-flash',
    name: 'Gemini 2.5 Flash',
    generation: 2.5,
    levels: [],
    budget: { minimum: 0, maximum: 24_576, canBeOff: true },
  },
  {
    ...shared,
    id: 'gemma-3-27b-it',
    name: 'Gemma 3 27B',
    generation: 2,
    output: 8192,
    levels: [],
    systemInstruction: false,
  },
]

export function findGemini(id: string): GeminiModel | undefined {
  return geminiModels.find((model) => model.id === id)
}

/** The model as `GET /v1beta/models` shows it. */
export function describeGemini(model: GeminiModel): unknown {
  return {
    name: `models/${model.id}`,
    version: '001',
    displayName: model.name,
    description: `${model.name}, as the fake provider knows it`,
    inputTokenLimit: 1_048_576,
    outputTokenLimit: model.output,
    supportedGenerationMethods: ['generateContent', 'countTokens', 'createCachedContent'],
    temperature: 1,
    topP: 0.95,
    topK: 64,
    maxTemperature: 2,
    thinking: model.levels.length > 0 || model.budget !== undefined,
  }
}

/** Models that cannot generate are listed too; a caller has to filter. */
export const embeddingModel = {
  name: 'models/gemini-embedding-001',
  version: '001',
  displayName: 'Gemini Embedding 001',
  inputTokenLimit: 2048,
  outputTokenLimit: 1,
  supportedGenerationMethods: ['embedContent', 'countTextTokens'],
}
