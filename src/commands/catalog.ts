// The table of commands, in the order of the help. A command is loaded when it is needed.
import type { CatalogEntry } from './model/command.ts'

export const catalog: readonly CatalogEntry[] = [
  {
    name: 'serve',
    group: 'run',
    summary: 'run the daemon (the default)',
    load: () => import('./serve.ts'),
  },
  {
    name: 'probe',
    group: 'run',
    summary: 'check monitors from this place, and send the results to a daemon elsewhere',
    load: () => import('./probe.ts'),
  },
  {
    name: 'standby',
    group: 'run',
    summary: 'keep a copy of the data of a daemon elsewhere, ready to take its place',
    load: () => import('./standby.ts'),
  },
  {
    name: 'promote',
    group: 'look after',
    summary: 'let the standby of this machine lead',
    load: () => import('./promote.ts'),
  },
  {
    name: 'cluster',
    group: 'look after',
    summary: 'make and look after a cluster of three machines',
    load: () => import('./cluster/cluster.ts'),
  },
  {
    name: 'check-config',
    group: 'look after',
    summary: 'report every problem in the settings',
    load: () => import('./check-config.ts'),
  },
  {
    name: 'healthcheck',
    group: 'look after',
    summary: 'ask the running daemon whether it is ready',
    load: () => import('./healthcheck.ts'),
  },
  {
    name: 'doctor',
    group: 'look after',
    summary: 'look for what keeps the daemon from working well on this machine',
    load: () => import('./doctor/doctor.ts'),
  },
  {
    name: 'native-extract',
    group: 'look after',
    summary: 'put the native code of the binary where the daemon loads it from',
    load: () => import('./native-extract.ts'),
  },
  {
    name: 'user',
    group: 'people',
    summary: 'see to accounts: make them, passwords, administrators',
    load: () => import('./people/user.ts'),
  },
  {
    name: 'org',
    group: 'people',
    summary: 'see to organizations and their members',
    load: () => import('./people/org.ts'),
  },
  {
    name: 'key',
    group: 'people',
    summary: 'see to API keys',
    load: () => import('./people/key.ts'),
  },
  {
    name: 'reset-password',
    group: 'people',
    summary: 'print a link that sets a new password',
    isAlias: true,
    load: () => import('./people/reset-password.ts'),
  },
  {
    name: 'export',
    group: 'data',
    summary: 'write an organization as one document',
    load: () => import('./moving/export.ts'),
  },
  {
    name: 'import',
    group: 'data',
    summary: 'create what a document holds, also one of another product',
    load: () => import('./moving/import.ts'),
  },
  {
    name: 'imports',
    group: 'data',
    summary: 'list imports, and take one back',
    load: () => import('./moving/imports.ts'),
  },
  {
    name: 'backup',
    group: 'data',
    summary: 'make, list, verify and remove backups',
    load: () => import('./backups/backup.ts'),
  },
  {
    name: 'restore',
    group: 'data',
    summary: 'put a backup in the place of the data',
    load: () => import('./backups/restore.ts'),
  },
  {
    name: 'fsck',
    group: 'data',
    summary: 'read all stored data, and say what is wrong with it',
    load: () => import('./backups/fsck.ts'),
  },
  {
    name: 'export-page',
    group: 'data',
    summary: 'write a status page to a directory, as files for any web server',
    load: () => import('./export-page.ts'),
  },
  {
    name: 'verify-report',
    group: 'data',
    summary: 'verify the signature of an uptime report',
    load: () => import('./verify-report.ts'),
  },
  {
    name: 'version',
    group: 'other',
    summary: 'tell the version, what it runs on, and the version of the running daemon',
    load: () => import('./version.ts'),
  },
  {
    name: 'completion',
    group: 'other',
    summary: 'print the script that lets a shell complete commands',
    load: () => import('./completion/completion.ts'),
  },
]
