import type {
  FilePage,
  Segment,
  Sink,
  SourceName,
  SourcePosition,
  WatcherReport,
} from '../../../src/transcripts/segment.ts'

interface Stored {
  position: SourcePosition
  segments: Segment[]
  isMissing: boolean
}

/** An archive in memory, by the rules of the interface. */
export class MemorySink implements Sink {
  readonly sources = new Map<string, Stored>()
  reports: WatcherReport[] = []
  /** Called before each segment; may throw. */
  beforeTake: (segment: Segment) => void = () => undefined

  async position({ path }: SourceName): Promise<SourcePosition | null> {
    return this.sources.get(path)?.position ?? null
  }

  async take(segment: Segment): Promise<SourcePosition> {
    this.beforeTake(segment)
    const { source, generation, from, to, identity, cursor, tailHash } = segment
    const stored = this.sources.get(source.path)
    const [atGeneration, atOffset] = [stored?.position.generation ?? 0, stored?.position.offset ?? 0]
    const isNext = generation === atGeneration ? from === atOffset : generation > atGeneration && from === 0
    if (!isNext && stored !== undefined) return stored.position
    const tail = tailHash === undefined ? {} : { tailHash }
    const position = { generation, offset: to, identity, cursor, ...tail }
    const segments = [...(stored?.segments ?? []), structuredClone(segment)]
    this.sources.set(source.path, { position, segments, isMissing: false })
    return position
  }

  async files(): Promise<FilePage> {
    return {
      paths: [...this.sources].flatMap(([path, { isMissing }]) => (isMissing ? [] : [path])),
      next: null,
    }
  }

  async missing({ path }: SourceName): Promise<void> {
    const stored = this.sources.get(path)
    if (stored !== undefined) stored.isMissing = true
  }

  async report(status: WatcherReport): Promise<void> {
    this.reports.push(status)
  }

  /** The lines of the newest generation of a file. */
  lines(path: string): string[] {
    const { position, segments = [] } = this.sources.get(path) ?? {}
    return segments
      .filter(({ generation }) => generation === position?.generation)
      .flatMap(({ lines }) => lines)
  }
}
