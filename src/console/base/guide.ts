// Which page of the guide belongs to a place of the console, and to a field of a form.

/** Below /guide, by how addresses begin; the first that fits. */
const places: readonly (readonly [begins: RegExp, page: string])[] = [
  [/^\/app\/monitors\/(new|[^/]+\/edit)\b/, 'recipes'],
  [/^\/app\/monitors\b/, 'checks'],
  [/^\/app\/incidents\b/, 'incidents'],
  [/^\/app\/maintenance\b/, 'maintenance'],
  [/^\/app\/locations\b/, 'locations'],
  [/^\/app\/channels\/new\b/, 'alerts#set-up-a-channel'],
  [/^\/app\/channels\b/, 'alerts'],
  [/^\/app\/pages\b/, 'status-pages'],
  [/^\/app\/import\b/, 'moving-in#from-another-product'],
  [/^\/app\/people\b.*\btab=keys\b/, 'api#a-key'],
  [/^\/app\/people\b.*\btab=audit\b/, 'people-and-access#who-did-what-the-audit-log'],
  [/^\/app\/(people|organizations)\b/, 'people-and-access'],
  [/^\/app\/system\b.*\btab=settings\b/, 'settings#in-the-console'],
  [/^\/app\/system\b.*\btab=backups\b/, 'backups'],
  [/^\/app\/system\b.*\btab=locations\b/, 'locations#locations-for-all-organizations'],
  [/^\/app\/system\b/, 'operating'],
  [/^\/app\/profile\b/, 'sign-in'],
]

/** Fields whose names mean the same in every form, and the groups of settings. */
const fields: Readonly<Record<string, string>> = {
  '/schedule': 'push#schedules',
  '/graceSeconds': 'push#schedules',
  '/maxRunSeconds': 'push#starts-and-ends',
  '/autoRecoveryMinutes': 'push#outages-that-end-by-themselves',
  '/failureThreshold': 'checks#defaults',
  '/isUpsideDown': 'checks#upside-down',
  '/memberIds': 'checks#groups',
  '/caCertificates': 'checks#kinds',
  '/clientCertificate': 'kind-ways#client-certificates',
  '/connectTo': 'kind-ways#another-address-in-place-of-the-name',
  '/proxy': 'kind-ways#through-a-proxy',
  '/reminderMinutes': 'alerts#reminders',
  '/sloPercent': 'reports#objectives',
  '/minSeverity': 'alerts#who-hears-what-and-when',
  '/delayMinutes': 'alerts#who-hears-what-and-when',
  '/cron': 'maintenance#recurring-windows',
  '/hostname': 'status-pages#your-own-domain',
  '/subdomain': 'status-pages#where-a-page-is',
  '/css': 'status-pages#looks',
  '/assertions': 'checks#assertions',
  '/steps': 'kind-steps',
  '/actions': 'kind-browser#actions',
  '/locations': 'locations',
  '/downWhen': 'locations#who-decides',
  '/dependsOn': 'alerts#monitors-that-depend-on-others',
  'settings/mail': 'mail',
  'settings/address': 'reverse-proxy',
  'settings/auth': 'people-and-access#invite-somebody',
  'settings/providers': 'sign-in#openid-providers',
  'settings/quotas': 'operating#administration-by-api',
  'settings/backup': 'backups#settings',
  'settings/observer': 'observer',
  'settings/heartbeat': 'operating#news-of-the-service-itself',
}

const address = (page: string) => `/guide/${page}`

/** The page for an address of the console, with its query. The first steps are in every language. */
export function guideOfPlace(url: string, language: string): string {
  if (/^\/app\/setup\b/.test(url))
    return address(language === 'en' ? 'first-steps' : `first-steps-${language}`)
  return address(places.find(([begins]) => begins.test(url))?.[1] ?? 'console')
}

/** By the pointer of the field; undefined if the guide has no section about it. */
export function guideOfField(pointer: string): string | undefined {
  const page = fields[pointer]
  return page === undefined ? undefined : address(page)
}

/** All that they name, for a test. */
export const guidePages: readonly string[] = [
  ...places.map(([, page]) => address(page)),
  ...Object.values(fields).map(address),
]
