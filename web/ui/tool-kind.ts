import {
  Bot,
  FilePen,
  FileText,
  Globe,
  Image,
  ListTodo,
  Search,
  SquareTerminal,
  Wrench,
  type LucideIcon,
} from 'lucide-react'

const icons: readonly (readonly [RegExp, LucideIcon])[] = [
  [/^(agent|task|spawn_agent|subagent)|agent$/i, Bot],
  [/todo|plan/i, ListTodo],
  [/web|fetch|browser|url/i, Globe],
  [/bash|shell|exec|terminal|command|powershell|stdin/i, SquareTerminal],
  [/edit|write|replace|patch|create|delete/i, FilePen],
  [/grep|glob|search|find|^ls$|list/i, Search],
  [/image|screenshot/i, Image],
  [/read|view|cat|file/i, FileText],
]

/** A sign for what the tool does, guessed from its name. */
export const toolIcon = (name: string): LucideIcon =>
  icons.find(([pattern]) => pattern.test(name))?.[1] ?? Wrench
