// The pictures of the console: what each of them shows, and the sources that it was taken of.

export interface ConsolePicture {
  /** Its name in `docs/pictures/`, without the ending. */
  readonly name: string
  /** Below `/app`, with the name of what has the page in place of its id: `/monitors/<Search API>`. */
  readonly path: string
  readonly width: number
  readonly height: number
  readonly scheme: 'light' | 'dark'
  /** Besides the frame, below `src/console`. */
  readonly sources: readonly string[]
}

const wide = { width: 1440, height: 900, scheme: 'light' } as const
const phone = { width: 390, height: 844, scheme: 'light' } as const

const overview = {
  path: '',
  sources: [
    'pages/overview/**/*.{ts,tsx}',
    'look/overview.css',
    '../texts/en/console/overview.json',
  ],
} as const
const monitor = {
  path: '/monitors/<Checkout API>',
  sources: [
    'pages/monitors/**/*.{ts,tsx}',
    'look/monitor{,-tools}.css',
    '../texts/en/console/{monitor,editor}.json',
  ],
} as const

export const consolePictures: readonly ConsolePicture[] = [
  { name: 'console-overview', ...wide, ...overview },
  { name: 'console-overview-dark', ...wide, ...overview, scheme: 'dark' },
  { name: 'console-overview-phone', ...phone, ...overview },
  { name: 'console-monitor', ...wide, height: 1_500, ...monitor },
  { name: 'console-monitor-phone', ...phone, scheme: 'dark', ...monitor },
  { name: 'console-editor', ...wide, height: 1_000, ...monitor, path: '/monitors/new' },
  {
    name: 'console-incident',
    path: '/incidents/<Checkout API is down>',
    ...wide,
    height: 1_700,
    sources: [
      'pages/incidents/**/*.{ts,tsx}',
      'pages/monitors/evidence/evidence.tsx',
      'look/incidents.css',
      '../texts/en/console/incidents.json',
    ],
  },
  {
    name: 'console-channels',
    path: '/channels/new',
    ...wide,
    height: 600,
    sources: [
      'pages/channels/**/*.{ts,tsx}',
      'look/channels.css',
      '../texts/en/console/channels.json',
    ],
  },
  {
    name: 'console-maintenance',
    path: '/maintenance',
    ...wide,
    scheme: 'dark',
    sources: [
      'pages/maintenance/**/*.{ts,tsx}',
      'look/maintenance.css',
      '../texts/en/console/maintenance.json',
    ],
  },
  {
    name: 'console-status-page',
    path: '/pages/<Acme>',
    ...wide,
    height: 1_000,
    sources: [
      'pages/status-pages/**/*.{ts,tsx}',
      'look/status-pages.css',
      '../texts/en/console/status-pages.json',
    ],
  },
  {
    name: 'console-wall',
    path: '/wall',
    width: 1_280,
    height: 720,
    scheme: 'dark',
    sources: ['pages/wall/**/*.{ts,tsx}', 'look/wall.css', '../texts/en/console/wall.json'],
  },
]

/** What every picture shows, and what the pictures show of: below the root. */
export const frameSources = [
  'src/console/look/{tokens,base,shell,form}.css',
  'src/console/shell/app.tsx',
  'src/console/parts/**/*.tsx',
  'src/texts/en/console/{shell,common}.json',
  'scripts/pictures/{shop,past}.ts',
]
