// What the guide has, in its order: the documents of this repository, and files that they lead to.
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Language, languages } from '../../src/texts/languages.ts'

interface GuideGroup {
  readonly title: string
  /** Paths in the repository. */
  readonly files: readonly string[]
}

const docs = (...names: readonly string[]) => names.map((name) => `docs/${name}.md`)

const root = join(import.meta.dirname, '../..')
/** A page for each kind of check that has one. */
const kindFiles = globSync('docs/kinds/*.md', { cwd: root }).sort()

/** A page for each product that people come from. */
const movingFiles = globSync('docs/moving-in/*.md', { cwd: root }).sort()

/** The first page: an index by task. */
export const indexFile = 'docs/README.md'

export const guideGroups: readonly GuideGroup[] = [
  {
    title: 'Start',
    files: [
      indexFile,
      ...docs('first-steps', 'install', 'phone', 'console', 'moving-in'),
      ...movingFiles,
      ...docs('moving-out'),
    ],
  },
  {
    title: 'Watch',
    files: [
      ...docs('recipes', 'checks', 'push', 'postgres', 'behind-a-firewall', 'locations', 'secrets'),
      ...docs('maintenance'),
      ...docs('history', 'reports', 'observer'),
    ],
  },
  { title: 'Kinds of checks', files: ['docs/kinds.md', ...kindFiles] },
  { title: 'Tell', files: docs('chat', 'alerts', 'incidents', 'status-pages', 'mail') },
  {
    title: 'People and programs',
    files: docs('people-and-access', 'sign-in', 'api', 'api-stability', 'identity-verification'),
  },
  {
    title: 'Run it',
    files: [
      ...docs('reverse-proxy', 'tls', 'settings', 'metrics', 'monitor-metrics'),
      ...docs(
        'backups',
        'move',
        'master-key',
        'standby',
        'cluster',
        'upgrading',
        'operating',
        'debugging',
        'command-line',
        'limits',
      ),
      'SECURITY.md',
      'config/stillup.toml',
    ],
  },
  {
    title: 'Background',
    files: [
      ...docs('comparison', 'benchmarks', 'scale', 'decisions', 'store'),
      ...['CHANGELOG.md', 'CONTRIBUTING.md', 'src/ARCHITECTURE.md', 'src/STYLE.md'],
      ...[
        'test/README.md',
        'compose.yaml',
        'docs/prometheus/monitors.dashboard.json',
        'docs/prometheus/monitors.rules.yml',
        'systemd/credentials.conf',
        'systemd/from-npm.conf',
        'systemd/cluster.conf',
        'systemd/standby.conf',
        'systemd/stillup-probe.service',
      ],
    ],
  },
]

export const guideFilePaths = guideGroups.flatMap(({ files }) => files)

/** The document that is in every language. */
export const firstStepsFile = 'docs/first-steps.md'

/** The languages of that document, by the paths of its files. */
export const firstSteps: ReadonlyMap<string, Language> = new Map(
  languages.map((one) => [one === 'en' ? firstStepsFile : `docs/first-steps/${one}.md`, one]),
)

/** The front page of the repository says what the first page of the guide says. */
const sameAsIndex = 'README.md'

/** The name of the page of a file; '' is the first page. Undefined for a file that has none. */
export function pageNameOf(path: string): string | undefined {
  if (path === indexFile || path === sameAsIndex) return ''
  const language = firstSteps.get(path)
  if (language !== undefined && language !== 'en') return `first-steps-${language}`
  if (!guideFilePaths.includes(path)) return undefined
  if (path === 'test/README.md') return 'tests'
  const name = basename(path).replace(/\.md$/, '')
  if (kindFiles.includes(path)) return `kind-${name}`
  if (movingFiles.includes(path)) return `from-${name}`
  return name === name.toUpperCase() ? name.toLowerCase() : name
}
