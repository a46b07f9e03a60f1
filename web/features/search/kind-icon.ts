import { Boxes, FileText, ScrollText, type LucideIcon } from 'lucide-react'

const icons: Record<string, LucideIcon> = { model: Boxes, request: ScrollText }

/** Kinds that this page does not know get a plain document icon. */
export const iconOf = (kind: string): LucideIcon => icons[kind] ?? FileText
