/**
 * The entry of this part in the registry of agents.
 * @public
 */
export const registryEntry = {
  name: 'embeddings',
  category: 'ai',
  description: 'Vectors of text, and search over everything the platform holds',
  capabilities: ['embeddings generation', 'similarity search', 'context discovery', 'semantic ranking'],
} as const
