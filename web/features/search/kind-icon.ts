import {
  Boxes,
  CircleDot,
  FileText,
  Lightbulb,
  MessagesSquare,
  NotebookPen,
  Scale,
  ScrollText,
  SquareTerminal,
  Target,
  Users,
  type LucideIcon,
} from 'lucide-react'

/** Those of the navigation, where the kind has a page there. */
const icons: Record<string, LucideIcon> = {
  model: Boxes,
  request: ScrollText,
  event: SquareTerminal,
  ticket: CircleDot,
  devlog: NotebookPen,
  learning: Lightbulb,
  initiative: Target,
  decision: Scale,
  standup: Users,
  transcript: MessagesSquare,
}

/** Kinds that this page does not know get a plain document icon. */
export const iconOf = (kind: string): LucideIcon => icons[kind] ?? FileText
