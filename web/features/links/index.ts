/** What pages of things show of their links. */
export { CostLayers } from './cost-layers.tsx'
export { LinkedCard } from './linked-card.tsx'
export { WhyCard } from './why-card.tsx'
export { LinkedFact } from './linked-fact.tsx'
export { useStory } from './use-story.ts'
