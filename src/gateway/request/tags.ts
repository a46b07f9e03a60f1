const most = { tags: 10, characters: 64 }

/**
 * The tags of a request, from `metadata.tags`: a list, or text with commas, since OpenAI's clients send texts only. The
 * sums of the usage log read them by the same rule.
 */
export function tagsOf(metadata: Readonly<Record<string, unknown>> | null): readonly string[] {
  const given = metadata?.['tags']
  if (given === undefined) return none
  const listed = typeof given === 'string' ? given.split(',') : given
  if (!Array.isArray(listed)) return none
  const tags = listed.filter((tag) => typeof tag === 'string').map((tag) => tag.trim())
  return [...new Set(tags.filter((tag) => tag !== '' && tag.length <= most.characters))].slice(0, most.tags)
}

const none: readonly string[] = []
