// What every text of the console says in every language, with sample values: as in the golden files.
//
// GOLDEN=1 writes test/console/golden/<language>.txt anew; read the difference before you commit it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { consoleTexts } from '../../scripts/console/texts.ts'
import { de, en } from '../support/console-words.ts'

const catalogues: Readonly<Record<string, object>> = {
  en,
  de: { ...de, sentences: consoleTexts('de').said },
}

/** The parameters of texts; a number where it begins with `#`. The others have a name. */
const parameters: Readonly<Record<string, string>> = {
  'common.confirming.chip': '#failed #needed',
  'common.confirming.about': '#failed #needed',
  'common.problems.requestId': 'id',
  'common.problems.rateLimited': '#seconds',
  'common.conflict.by': 'who',
  'common.conflict.fields': 'names',
  'common.schedule.everyMinutes': '#count',
  'common.schedule.everyHours': '#count',
  'common.schedule.atMinutes': 'hours #count minutes',
  'common.schedule.joined': 'first second',
  'common.schedule.range': 'first last',
  'common.schedule.monthDays': '#count days',
  'common.schedule.nth': 'nth weekday',
  'form.rules.minLength': '#count',
  'form.rules.maxLength': '#count',
  'form.rules.minimum': '#least',
  'form.rules.maximum': '#most',
  'form.rules.minItems': '#count',
  'form.rules.maxItems': '#count',
  'form.rules.const': 'only',
  'form.rules.enum': 'all',
  'form.rules.name': 'rule',
  'shell.troubles.channels': '#count',
  'shell.troubles.waiting': '#alerts #channels',
  'shell.troubles.more': '#count',
  'shell.signIn.nowSignedIn': 'email',
  'shell.palette.goTo': 'place',
  'overview.lastDay': '#bad',
  'overview.incidents.count': '#count',
  'monitor.runs.exit': '#code',
  'monitor.runs.outputOf': '#number',
  'monitor.alerts.count': '#hearing #all',
  'monitor.alerts.unreached': '#count',
  'monitor.alerts.waiting': '#count',
  'monitor.alerts.send': '#count',
  'monitor.barsText': '#all #bad',
  'monitor.pointText': '#good #bad',
  'editor.headersAgain': 'names',
  'editor.picker.added': 'sentence',
  'editor.picker.headers': '#count',
  'editor.picker.items': '#count',
  'editor.picker.keys': '#count',
  'editor.picker.more': '#count',
  'editor.steps.newName': '#number',
  'editor.steps.most': '#count',
  'editor.steps.removed': 'name',
  'editor.steps.variablesAgain': 'names',
  'editor.steps.fromStep': 'name',
  'editor.steps.taken': 'name path',
  'editor.steps.changing': 'methods',
  'editor.steps.waits': '#seconds',
  'editor.steps.import.made': '#count',
  'editor.places.some': '#count',
  'editor.places.means': '#needed #all',
  'monitor.places.vote': '#voting #needed',
  'incidents.reopens': 'time',
  'incidents.checks': '#count',
  'incidents.notToldCount': '#count',
  'channels.newOf': 'title',
  'channels.needsSettings': 'names',
  'channels.enterSecrets': 'names',
  'channels.testArrived': 'time',
  'channels.needs': 'names',
  'channels.pending': '#count',
  'channels.attempts': '#count',
  'maintenance.zones.own': 'zone',
  'maintenance.zones.organization': 'zone from to',
  'maintenance.zones.scheduleOwn': 'zone',
  'maintenance.zones.schedule': 'zone there own here',
  'maintenance.scope.covers': '#count',
  'maintenance.scope.more': '#count',
  'maintenance.scope.question.title': '#count',
  'maintenance.silence.name': 'monitor',
  'locations.monitors': '#count',
  'locations.probes': '#count',
  'locations.version': 'version',
  'locations.checks': '#count',
  'locations.late': 'time',
  'locations.dropped': '#count',
  'locations.formerUntil': 'time',
  'locations.setup.containerAbout': 'command',
  'locations.setup.reaches': 'address',
  'locations.setup.connected': 'address version',
  'locations.setup.firstResult': '#count',
  'moving.preview': 'file',
  'moving.counts.monitors': '#count',
  'moving.counts.channels': '#count',
  'moving.counts.statusPages': '#count',
  'moving.counts.maintenance': '#count',
  'moving.counts.locations': '#count',
  'moving.paused': '#count',
  'moving.awaiting': '#count',
  'moving.otherNotes': '#count',
  'moving.problems': '#count',
  'moving.done': '#count',
  'people.changeRoleTitle': 'name role',
  'people.keyBecomes': 'role',
  'people.roleChanged': 'name role',
  'people.keyLimited': 'role',
  'audit.changed': 'fields',
  'profile.confirmEmail': 'email',
  'simulate.days': '#count',
  'simulate.valueToday': 'value',
  'simulate.strip': '#count down',
  'simulate.summary': '#after #alertsAfter #before #alertsBefore',
  'statusPages.subscriberCount': '#count',
  'places.fails': 'places',
  'places.slow': 'places',
  'places.works': 'places',
  'places.silent': 'places',
  'places.and': 'said more',
  'statusPages.deleteAbout': '#count',
  'statusPages.fields.slugHelp': 'address',
  'statusPages.monitors.holdsAddress': 'address',
  'statusPages.sections.nameless': '#place',
  'statusPages.sort.moved': 'name #place #count',
  'statusPages.subscribers.asked': '#count',
  'statusPages.subscribers.removeTitle': 'address',
  'statusPages.subscribers.removed': 'address',
  'statusPages.domain.removeTitle': 'hostname',
  'statusPages.domain.removed': 'hostname',
  'settings.waiting': 'names',
  'settings.setIn': 'place',
  'settings.mail.hostHelp': 'port',
  'settings.address.leadsHere': 'host',
  'settings.address.leadsElsewhere': 'host',
  'settings.address.resolves': 'addresses',
  'settings.mail.arrived': 'to',
  'system.monitorsOf': 'count most',
  'system.membersOf': 'count most',
  'system.damaged': '#count',
  'system.networkLost': 'what',
  'system.records': '#count',
  'system.times': '#count',
  'system.inOrganizations': '#count',
  'wall.wrong': '#count',
  'wall.unknown': '#count',
  'wall.more': '#count',
}

/** Numbers of every form that a language has, and one that is grouped. */
const counts = [0, 1, 2, 3, 5, 11, 21, 100, 1_000_000]

type Values = Readonly<Record<string, string | number>>

/** Values that a text is tried with: each number takes every count, while the others stay. */
function samplesOf(names: readonly string[]): Values[] {
  const numbers = names.filter((name) => name.startsWith('#'))
  const plain = Object.fromEntries(
    // Values are shown as they are, whatever they hold.
    names.map((name) => (name.startsWith('#') ? [name.slice(1), 5] : [name, `{${name}} <b>'#'`])),
  )
  if (numbers.length === 0) return [plain]
  return numbers.flatMap((name) => counts.map((count) => ({ ...plain, [name.slice(1)]: count })))
}

function linesOf(path: string, node: unknown): string[] {
  if (typeof node === 'string') return [`${path}: ${node}`]
  if (typeof node !== 'function') {
    return Object.entries(Object(node)).flatMap(([key, below]) =>
      linesOf(path === '' ? key : `${path}.${key}`, below),
    )
  }
  if (path === 'said') return []
  return samplesOf((parameters[path] ?? 'name').split(' ')).map((values) => {
    const numbers = Object.values(values).filter((value) => typeof value === 'number')
    return `${path}(${numbers}): ${node(values)}`
  })
}

for (const [language, catalogue] of Object.entries(catalogues)) {
  t.test(`every text of the console in ${language} says what it is known to say`, async (t) => {
    const file = join(import.meta.dirname, 'golden', `${language}.txt`)
    const text = `${linesOf('', catalogue).sort().join('\n')}\n`
    if (process.env.GOLDEN) writeFileSync(file, text)
    t.equal(text, readFileSync(file, 'utf8'))
  })
}
