/** The base URL for OpenAI clients. */
export const clientAddress = (baseUrl: string): string => `${baseUrl.replace(/\/+$/, '')}/v1`
