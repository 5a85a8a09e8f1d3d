// Monitors of OneUptime: the answers of POST /api/monitor/get-list of its API, and of
// /api/monitor-status/get-list, which say what its states mean. https://github.com/OneUptime/oneuptime has
// the forms: Common/Types/Monitor and Common/Models/DatabaseModels/Monitor.ts.
import { limits } from '../../limits/limits.ts'
import {
  createNotes,
  type ForeignDocument,
  type ForeignFields,
  type ForeignMonitor,
  fieldsOf,
  itemsOf,
  listOf,
  type Note,
  nameOf,
  numberOf,
  pushPace,
  tagsOf,
  textOf,
  within,
} from '../foreign.ts'
import { historiesOfSpells, type Spell } from '../spells.ts'
import { expectationOf, type OneuptimeState, type StateOf, untyped } from './criteria.ts'
import { documentIdOf, idTextOf } from './ids.ts'
import { namedMonitors, pageAnswersIn, pagesOf, windowsOf } from './pages.ts'
import { createSecretNames, type SecretNames, withSecrets } from './secrets.ts'
import {
  type OneuptimeTarget,
  silenceMinutesOf,
  targetsOf,
  usualTimeoutMs,
  usualTries,
} from './targets.ts'

/**
 * `answers`: each an object with `data`, a list of such, or of monitors. With them may be `timeline`, the changes of
 * their states, read at `readAt`, an ISO time. What is made is known again if the monitors have their `projectId`.
 */
export function fromOneuptime(answers: readonly unknown[]): ForeignDocument {
  const items = itemsOf(answers.flatMap(itemsIn), 'monitors and states')
  const isState = (item: ForeignFields) =>
    item.monitorType === undefined && 'isOperationalState' in item
  const monitors = items.filter((item) => item.monitorType !== undefined)
  const states = new Map<string, OneuptimeState>()
  for (const state of [...items.filter(isState), ...monitors.map(currentStateOf)]) {
    const id = idTextOf(state._id)
    if (id !== '' && 'isOperationalState' in state) states.set(id, stateIn(state))
  }
  const notes = createNotes()
  const secrets = createSecretNames()
  const project = monitors.map(({ projectId }) => idTextOf(projectId)).find((id) => id !== '')
  const made = monitors.flatMap((item, index) => {
    const name = nameOf(item.name, `Monitor ${index + 1}`)
    const origin = project === undefined ? undefined : `monitor/${idTextOf(item._id)}`
    const note = notes.of(name, origin)
    const frame = { note, secrets, stateOf: (id: string) => states.get(id) }
    return monitorsOf(item, name, frame).map((monitor, at) => ({
      item,
      monitor: {
        ...(origin === undefined ? {} : { origin: at === 0 ? origin : `${origin}/${at + 1}` }),
        ...monitor,
      },
      note,
    }))
  })
  const rest = notes.of(null)
  if (made.length > 0 && !items.some(isState)) {
    rest('what its states mean: add the answer of /api/monitor-status/get-list to the file')
  }
  if (JSON.stringify(monitors.map(criteriaIn)).includes('"createIncidents":true')) {
    rest(
      'incidents and alerts of criteria, with severities and on-call policies: set alert channels',
    )
  }
  const known = secrets.all()
  if (known.length > 0) {
    rest(`the values of its secrets: give them to ${known.map((one) => one.name).join(', ')}`)
  }
  const ids = monitors.map((item) => idTextOf(item._id))
  const past = project === undefined ? undefined : historyOf(answers, ids, states)
  const lists = pageAnswersIn(answers)
  const { whole, idsOf } = withDependencies(made, namedMonitors(lists))
  const frame = { idsOf, notesOf: notes.of }
  const { statusPages, names } = pagesOf(lists, frame)
  const maintenance = windowsOf(lists, readAtOf(answers), frame)
  return {
    // A key is one of a project.
    ...(project === undefined ? {} : { source: { product: 'oneuptime', installation: project } }),
    ...(past === undefined ? {} : { history: past }),
    monitors: whole.map((monitor) => {
      const publicName = names.get(monitor.id ?? '')
      if (publicName === undefined) return monitor
      const isOther = publicName !== '' && publicName !== monitor.name
      return { ...monitor, isPublic: true, ...(isOther ? { publicName } : {}) }
    }),
    ...(statusPages.length === 0 ? {} : { statusPages }),
    ...(maintenance.length === 0 ? {} : { maintenance }),
    notes: notes.all(),
    ...(known.length > 0 ? { secrets: known } : {}),
  }
}

function itemsIn(answer: unknown): readonly unknown[] {
  if (!Array.isArray(answer)) return listOf(fieldsOf(answer).data)
  return itemsOf(answer, 'monitors and states').flatMap((one) =>
    Array.isArray(one.data) ? itemsIn(one) : [one],
  )
}

function currentStateOf({ currentMonitorStatus }: ForeignFields): ForeignFields {
  return fieldsOf(currentMonitorStatus)
}

function criteriaIn({ monitorSteps }: ForeignFields): unknown {
  return monitorSteps ?? null
}

/** Between good and offline there may be states of people's own. */
function stateIn({ isOperationalState, isOfflineState }: ForeignFields): OneuptimeState {
  if (isOperationalState === true) return 'up'
  return isOfflineState === true ? 'down' : 'degraded'
}

function readAtOf(answers: readonly unknown[]): number {
  return Math.max(...answers.map((one) => Date.parse(textOf(fieldsOf(one).readAt)) || 0), 0)
}

/** A state holds until the next begins; what is neither good nor offline is up here. */
function historyOf(
  answers: readonly unknown[],
  ids: readonly string[],
  states: ReadonlyMap<string, OneuptimeState>,
) {
  const readAtMs = readAtOf(answers)
  if (readAtMs === 0) return undefined
  const byMonitor = new Map<string, Spell[]>()
  for (const change of answers
    .flatMap((answer) => listOf(fieldsOf(answer).timeline))
    .map(fieldsOf)) {
    const state = states.get(idTextOf(change.monitorStatusId))
    const fromMs = Date.parse(idTextOf(change.startsAt))
    const endMs = Date.parse(idTextOf(change.endsAt))
    if (state === undefined || Number.isNaN(fromMs)) continue
    const isUp = state !== 'down'
    const toMs = Number.isNaN(endMs) ? null : endMs
    const monitor = idTextOf(change.monitorId)
    const spell = { fromMs, toMs, isUp, text: isUp ? '' : 'offline in OneUptime' }
    const spells = byMonitor.get(monitor) ?? []
    spells.push(spell)
    byMonitor.set(monitor, spells)
  }
  const past = [...new Set(ids)].map((id) => ({
    origin: `monitor/${id}`,
    spells: (byMonitor.get(id) ?? []).toSorted((a, b) => a.fromMs - b.fromMs),
  }))
  return historiesOfSpells(past, readAtMs)
}

interface OneuptimeFrame {
  readonly note: Note
  readonly stateOf: StateOf
  readonly secrets: SecretNames
}

/** Steps of a monitor, each of which looks at something: more are none that people made. */
const stepsMax = 50

function monitorsOf(item: ForeignFields, name: string, frame: OneuptimeFrame): ForeignMonitor[] {
  const { note } = frame
  const type = textOf(item.monitorType)
  const { monitorStepsInstanceArray, defaultMonitorStatusId } = untyped(item.monitorSteps)
  const given = listOf(monitorStepsInstanceArray).map(untyped)
  const steps = given.slice(0, stepsMax)
  if (steps.length < given.length) note(`its steps beyond ${stepsMax}`)
  const { description } = item
  const base = {
    tags: tagsOf(listOf(item.labels).map((label) => fieldsOf(label).name)),
    ...(textOf(description) === '' ? {} : { description: textOf(description) }),
  }
  const isActive = item.disableActiveMonitoring !== true
  noteOthers(item, note)
  if (type === 'Manual') {
    note('its state is not known: set it')
    return [{ name, checkType: 'manual', isActive, ...base }]
  }
  if (type === 'Incoming Request') {
    note('its address is a new one: change it in the sender')
    return [{ name, checkType: 'push', ...pushPaceOf(steps, note), isActive, ...base }]
  }
  const intervalSeconds = intervalOf(item, note)
  const found = (steps.length === 0 ? [{}] : steps).flatMap((step) =>
    targetsOf(type, step, frame).map((target) => ({ step, target })),
  )
  if (steps.length > 1 && found.length > 1) note('its steps became monitors of their own')
  return found.map(({ step, target }, index) => {
    const suffix = target.suffix ?? (index === 0 ? '' : String(index + 1))
    const pace = paceOf(step, target, intervalSeconds)
    const expectation = expectationOf(step, {
      readings: target.readings,
      stateOf: frame.stateOf,
      defaultId: textOf(defaultMonitorStatusId),
      intervalSeconds,
      timeoutMs: pace.timeoutMs,
      note,
    })
    const monitor = {
      name: suffix === '' ? name : nameOf(`${name} (${suffix})`, name),
      ...target.fields,
      ...pace,
      ...(target.isWeb ? webExpectation(expectation, target, note) : expectation),
      isActive: isActive && target.fields.isActive !== false && expectation.isActive !== false,
      ...base,
    }
    return target.isWeb ? withSecrets(monitor, frame.secrets, note) : monitor
  })
}

/** Any status is good about which no criterion says something. */
function webExpectation(
  { acceptedStatuses, ...expectation }: ForeignFields,
  { fields }: OneuptimeTarget,
  note: Note,
): ForeignFields {
  const listed = acceptedStatuses === undefined ? ['100-599'] : listOf(acceptedStatuses).map(textOf)
  const accepted = listed.slice(0, acceptedStatusesMax)
  if (accepted.length < listed.length) note('its statuses: only some are accepted')
  const takes = (status: number) =>
    accepted.some((range) => {
      const [low = '', high = low] = range.split('-')
      return status >= Number(low) && status <= Number(high)
    })
  const [first = ''] = accepted
  const readsBody = listOf(expectation.assertions).some((one) =>
    ['body', 'json'].includes(textOf(fieldsOf(one).source)),
  )
  if (fields.method === 'HEAD' && readsBody) note('its method HEAD: GET is used, to read the body')
  return {
    expectedStatus: takes(200) ? 200 : Number(first.slice(0, 3)),
    acceptedStatuses: accepted.length === 1 && !first.includes('-') ? [] : accepted,
    ...expectation,
    ...(fields.method === 'HEAD' && readsBody ? { method: 'GET' } : {}),
  }
}

const acceptedStatusesMax = 20

function noteOthers(item: ForeignFields, note: Note): void {
  const agreement = numberOf(item.minimumProbeAgreement)
  if (agreement) note(`that ${agreement} probes must agree: choose locations, and downWhen`)
  const custom = Object.keys(fieldsOf(item.customFields))
  if (custom.length > 0) note(`its fields ${custom.slice(0, 5).join(', ')}`)
  if (listOf(item.postUpdatesToWorkspaceChannels).length > 0) note('its channels of a workspace')
}

const minuteSeconds = 60
const hourSeconds = 60 * minuteSeconds
const daySeconds = 24 * hourSeconds

/** The seconds between two runs, for the expressions that its forms offer, and others that are as plain. */
function secondsOfCron(cron: string): number | undefined {
  const [minute = '', hour = '', day = '', month = '', weekday = '', more] = cron.split(/\s+/)
  if (more !== undefined || month !== '*') return undefined
  const isDaily = day === '*' && weekday === '*'
  const [, minutes] = /^\*(?:\/([1-9]\d?))?$/.exec(minute) ?? [undefined, null]
  if (minutes !== null) {
    if (!isDaily || hour !== '*') return undefined
    return Number(minutes ?? 1) * minuteSeconds
  }
  if (!/^\d{1,2}$/.test(minute)) return undefined
  const [, hours] = /^\*(?:\/([1-9]\d?))?$/.exec(hour) ?? [undefined, null]
  if (hours !== null) return isDaily ? Number(hours ?? 1) * hourSeconds : undefined
  if (!/^\d{1,2}$/.test(hour)) return undefined
  if (isDaily) return daySeconds
  return day === '*' && /^\d$/.test(weekday) ? 7 * daySeconds : undefined
}

function intervalOf({ monitoringInterval }: ForeignFields, note: Note): number {
  const cron = textOf(monitoringInterval).slice(0, limits.cronCharsMax)
  const wanted = secondsOfCron(cron)
  const { intervalSecondsMin, intervalSecondsMax } = limits
  const interval = within(wanted ?? minuteSeconds, intervalSecondsMin, intervalSecondsMax)
  if (wanted !== interval) note(`its interval "${cron}" became ${interval} s`)
  return interval
}

function paceOf(step: ForeignFields, target: OneuptimeTarget, intervalSeconds: number) {
  const tries = numberOf(step.retryCount) ?? numberOf(target.tries) ?? usualTries
  const wantedMs = numberOf(step.requestTimeoutInMs) ?? numberOf(target.timeoutMs) ?? usualTimeoutMs
  const mostMs = Math.min(limits.timeoutMsMax, intervalSeconds * 1_000)
  return {
    intervalSeconds,
    timeoutMs: within(wantedMs, limits.timeoutMsMin, mostMs),
    degradedThresholdMs: null,
    failureThreshold: within(tries, 1, limits.thresholdMax),
    recoveryThreshold: 1,
    retryIntervalSeconds: limits.retryIntervalSecondsMin,
  }
}

function pushPaceOf(steps: readonly ForeignFields[], note: Note): ForeignFields {
  const [step = {}] = steps
  const minutes = silenceMinutesOf(step, note)
  if (minutes === undefined) note('no criterion says how long it may be silent: one day is used')
  const seconds = minutes === undefined ? daySeconds : minutes * minuteSeconds
  return pushPace(seconds, limits.importGraceSeconds)
}

interface MadeMonitor {
  readonly item: ForeignFields
  readonly monitor: ForeignMonitor
  readonly note: Note
}

const dependsOnMax = 10

/** Monitors that others need, or that are `named` besides, get an id in the document, and the others name it. */
function withDependencies(made: readonly MadeMonitor[], named: ReadonlySet<string>) {
  const present = new Set(made.map(({ item }) => idTextOf(item._id)))
  const neededBy = (item: ForeignFields) =>
    listOf(item.dependsOnMonitors).map((one) => idTextOf(fieldsOf(one)._id))
  const needed = new Set(made.flatMap(({ item }) => neededBy(item)))
  const given = new Map<string, string[]>()
  const whole = made.map(({ item, monitor, note }): ForeignMonitor => {
    const own = idTextOf(item._id)
    const before = given.get(own) ?? []
    const isNeeded = before.length < (named.has(own) ? stepsMax : needed.has(own) ? 1 : 0)
    const id = isNeeded ? documentIdOf(own, before.length) : undefined
    given.set(own, id === undefined ? before : [...before, id])
    const ids = [...new Set(neededBy(item))].filter((id) => id !== own)
    const kept = ids.filter((id) => present.has(id) && documentIdOf(id)).slice(0, dependsOnMax)
    if (kept.length < ids.length) note('some of the monitors that it depends on')
    return {
      ...(id === undefined ? {} : { id }),
      ...monitor,
      ...(kept.length > 0 ? { dependsOn: kept.map((one) => documentIdOf(one)) } : {}),
    }
  })
  return { whole, idsOf: (there: string) => given.get(there) ?? [] }
}
