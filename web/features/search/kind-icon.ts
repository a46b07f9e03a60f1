import { Boxes, FileText, ScrollText, type LucideIcon } from 'lucide-react'

const icons: Record<string, LucideIcon> = { model: Boxes, request: ScrollText }

/** A kind that joined later than this page has a plain sheet. */
export const iconOf = (kind: string): LucideIcon => icons[kind] ?? FileText
