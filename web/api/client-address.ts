/** The address an OpenAI client is pointed at. */
export const clientAddress = (baseUrl: string): string => `${baseUrl.replace(/\/+$/, '')}/v1`
