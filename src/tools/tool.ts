import type { z } from 'zod'
import type { Scope } from '#kernel/auth'
import type { Platform, PlatformRequest, PlatformResponse } from './platform.ts'

/** A tool is a description of one of our routes: it sends a request and shows the response. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  description: string
  /** What the key needs; for others the tool does not exist. */
  scope: Scope
  input: Input
  /** What every result that is not an error has at least. */
  output: z.ZodObject
  /** True: changes nothing. */
  isReader: boolean
  /** The SQL proxy judges each call by the agent's policy and asks people itself. */
  isJudged?: boolean
  request(input: never): PlatformRequest
  /** Waits for what the request began. */
  follow?(began: PlatformResponse, input: never, following: Following): Promise<PlatformResponse>
  /** What it finds, for people. */
  finds?: Finds
}

/** How a tool waits: it may ask the platform again, and says what happens meanwhile. */
export interface Following {
  platform: Platform
  signal: AbortSignal
  /** Shown by clients that asked for it. */
  report(message: string): Promise<void>
}

export interface Finds {
  /** The name of one of them; those of several end with s. */
  one: string
  /** Where a person opens it. */
  link(item: Readonly<Record<string, unknown>>): Link
}

export interface Link {
  title: string
  url: string
}

/** Keeps the type of the input between its schema and the request. */
export function defineTool<Input extends z.ZodObject>(
  tool: Omit<Tool<Input>, 'request' | 'follow'> & {
    request(input: z.infer<Input>): PlatformRequest
    follow?(began: PlatformResponse, input: z.infer<Input>, following: Following): Promise<PlatformResponse>
  },
): Tool<Input> {
  return tool
}
