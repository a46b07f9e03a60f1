import { notesOf } from './changelog.ts'

export interface Sources {
  version: string
  changelog: string
  chart: string
  /** Of `git status --porcelain`. */
  changed: string
  /** Tags of this version, and whether they are the commit that is released. */
  tag: 'none' | 'here' | 'elsewhere'
}

/** What must be put right before this version can be released. */
export function problemsOf(wanted: string, sources: Sources): string[] {
  const { version, chart, changed, tag } = sources
  const inChart = ['version', 'appVersion'].filter((name) => !chart.includes(`\n${name}: ${version}\n`))
  return [
    ...(wanted === version ? [] : [`package.json has the version ${version}, not ${wanted}.`]),
    ...inChart.map((name) => `deploy/helm/signalbox/Chart.yaml: ${name} is not ${version}.`),
    ...changelogProblem(sources),
    ...(tag === 'elsewhere' ? [`The tag v${version} is another commit. Raise the version.`] : []),
    ...(changed === '' ? [] : [`Files are changed or new. Commit them:\n${changed.trimEnd()}`]),
  ]
}

function changelogProblem({ changelog, version }: Sources): string[] {
  try {
    notesOf(changelog, version)
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

/** What the packed product cannot be without, and what must not be in it. */
export function packedProblems(files: readonly string[]): string[] {
  const needed = [
    'bin/signalbox.js',
    'lib/cli/main.js',
    'lib/commit.json',
    'web/dist/index.html',
    'docs/deploy.md',
    'deploy/systemd/signalbox@.service',
    'CHANGELOG.md',
  ]
  const wrong = files.filter((file) => /\.tsx?$|\.map$|(^|\/)\.env|\.key$|(^|\/)node_modules\//.test(file))
  return [
    ...needed.filter((file) => !files.includes(file)).map((file) => `${file} is not in the packed file.`),
    ...(files.some((file) => file.startsWith('migrations/')) ? [] : ['No migration is in the packed file.']),
    ...wrong.map((file) => `${file} does not belong into the packed file.`),
  ]
}
