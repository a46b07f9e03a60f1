import { setFlagsFromString } from 'node:v8'

/**
 * What is loaded at a start lives as long as the process, so a young generation that grew for it would only stay
 * large: tens of megabytes in a process at rest. It may grow from the moment on when requests come, up to the
 * --max-semi-space-size that the process is started with: by default V8 takes twice as much.
 */
export function holdYoungHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

export function releaseYoungHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
}
