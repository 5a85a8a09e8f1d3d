// What the command palette finds: places and their parts, actions, monitors, and whatever else has a name.
import { type ReadonlySignal, useSignal } from '@preact/signals'
import {
  Bell,
  BookOpen,
  CalendarClock,
  Globe,
  type IconNode,
  LogOut,
  MapPin,
  Moon,
  Pause,
  Pencil,
  Play,
  Plus,
  RefreshCw,
  ScrollText,
  Siren,
  Sun,
  Upload,
  User,
} from 'lucide'
import { useEffect } from 'preact/hooks'
import { fetchData } from '../api/client.ts'
import { type GuideHeading, guideHeadings } from '../api/guide.ts'
import { isChecked } from '../api/kinds.ts'
import { outward } from '../base/base-path.ts'
import { act } from '../parts/dialog/act.ts'
import { type MonitorEntry, monitors } from '../stores/monitors.ts'
import { isOperator, mayAs, orgId, signOut } from '../stores/session.ts'
import { chooseTheme } from '../stores/theme.ts'
import { words } from '../words/words.ts'
import { openPlaces, placeIcons } from './places.ts'

export interface Findable {
  readonly id: string
  readonly text: string
  /** What it is, where the text does not say so. */
  readonly kind?: string
  /** Other words by which it is found. */
  readonly also?: string
  /** The class of a state in place of an icon. */
  readonly icon: IconNode | string
  readonly run: () => void
}

type Go = (href: string) => void

/** Places, their parts and actions, as far as the role of the person allows them. */
export function commands(go: Go): readonly Findable[] {
  const { shell, channels, statusPages, moving, people } = words.value
  const { palette: texts, places, theme } = shell
  const to = (href: string, text: string, icon: IconNode): Findable => ({
    ...{ id: href.replaceAll(/\W+/g, '-'), text, icon, run: () => go(href) },
  })
  const isMember = mayAs('member')
  const isAdmin = mayAs('admin')
  const parts = [
    ...(isAdmin ? ([['people?tab=invites', people.invites]] as const) : []),
    ['people?tab=keys', people.keys] as const,
    ...(isAdmin ? ([['people?tab=audit', people.audit]] as const) : []),
  ]
  return [
    ...(isMember ? [to('/app/monitors/new', texts.newMonitor, Plus)] : []),
    ...openPlaces().map(({ name, href }) =>
      to(href, texts.goTo({ place: places[name] }), placeIcons[name]),
    ),
    to('/app/profile', texts.goTo({ place: places.profile }), User),
    ...(isAdmin
      ? [
          to('/app/channels/new', channels.add, Plus),
          to('/app/pages/new', statusPages.add, Plus),
          to('/app/import', moving.title, Upload),
        ]
      : []),
    ...parts.map(([path, text]) => to(`/app/${path}`, text, placeIcons.people)),
    ...(isOperator.value
      ? systemParts().map(([tab, text]) => to(`/app/system?tab=${tab}`, text, placeIcons.system))
      : []),
    { id: 'light', text: theme.light, icon: Sun, run: () => chooseTheme('light') },
    { id: 'dark', text: theme.dark, icon: Moon, run: () => chooseTheme('dark') },
    {
      ...{ id: 'docs', text: shell.apiReference, icon: ScrollText },
      run: () => location.assign(outward('/docs')),
    },
    { id: 'sign-out', text: shell.signOut, icon: LogOut, run: () => void act(signOut) },
  ]
}

function systemParts(): readonly (readonly [tab: string, text: string])[] {
  const { system, settings, locations } = words.value
  return [
    ['settings', settings.title],
    ['tasks', system.tasks],
    ['backups', system.backups],
    ['errors', system.errors],
    ['users', system.users],
    ['organizations', system.organizations],
    ['locations', locations.ofOperator.title],
  ]
}

const monitorsMax = 8

/** The monitors whose name fits; a single one comes with what can be done to it. */
export function foundMonitors(fits: (name: string) => boolean, go: Go): readonly Findable[] {
  const fitting: MonitorEntry[] = []
  for (const entry of monitors.value.values()) {
    if (fitting.length >= monitorsMax) break
    if (fits(entry.name)) fitting.push(entry)
  }
  const found = fitting.map(({ id, name, state, isConfirming }) => ({
    ...{ id, text: name, icon: isConfirming ? 'is-confirming' : `is-${state}` },
    run: () => go(`/app/monitors/${id}`),
  }))
  const [only, second] = fitting
  return only && !second && mayAs('member') ? [...found, ...actionsOn(only, go)] : found
}

function actionsOn({ id, name, state, checkType }: MonitorEntry, go: Go): readonly Findable[] {
  const { monitor: texts, common } = words.value
  const path = { orgId: orgId(), monitorId: id }
  const isPaused = state === 'paused'
  const action = (key: string, text: string, icon: IconNode, run: () => void): Findable => ({
    ...{ id: `${id}-${key}`, text, kind: name, icon, run },
  })
  return [
    ...(isPaused || !isChecked({ checkType })
      ? []
      : [
          action('run', texts.run, RefreshCw, () => {
            go(`/app/monitors/${id}`)
            void act(() => fetchData('monitors.run', { path }))
          }),
        ]),
    isPaused
      ? action(
          'resume',
          texts.resume,
          Play,
          () => void act(() => fetchData('monitors.resume', { path })),
        )
      : action(
          'pause',
          texts.pause,
          Pause,
          () =>
            void act(
              () => fetchData('monitors.pause', { path }),
              texts.paused,
              () => void act(() => fetchData('monitors.resume', { path })),
            ),
        ),
    action('edit', common.actions.edit, Pencil, () => go(`/app/monitors/${id}/edit`)),
  ]
}

const namedMax = 200

/** Channels, status pages, incidents, planned work, locations and members, once they are here; what cannot be read is left out. */
export function useNamed(go: Go): ReadonlySignal<readonly Findable[]> {
  const named = useSignal<readonly Findable[]>([])
  useEffect(() => {
    const stop = new AbortController()
    for (const load of loads(go)) {
      load(stop.signal).then(
        (found) => {
          if (!stop.signal.aborted) named.value = [...named.value, ...found]
        },
        () => undefined,
      )
    }
    return () => stop.abort()
  }, [])
  return named
}

/** Pages and sections of the guide, once they are here. */
export function useGuide(): ReadonlySignal<readonly Findable[]> {
  const found = useSignal<readonly Findable[]>([])
  useEffect(() => {
    let isLeft = false
    void guideHeadings().then((headings) => {
      if (!isLeft) found.value = headings.map(asFindable)
    })
    return () => {
      isLeft = true
    }
  }, [])
  return found
}

function asFindable({ page, heading, also, href }: GuideHeading): Findable {
  const { guide } = words.value.shell
  return {
    ...{ id: href.replaceAll(/\W+/g, '-'), text: heading, icon: BookOpen },
    kind: heading === page ? guide : page,
    also: `${page} ${also}`,
    run: () => window.open(href, '_blank', 'noopener'),
  }
}

type Load = (signal: AbortSignal) => Promise<readonly Findable[]>

function loads(go: Go): readonly Load[] {
  const { places } = words.value.shell
  const list = { path: { orgId: orgId() }, query: { limit: namedMax } }
  const entry = (
    { id, text }: { readonly id: string; readonly text: string },
    kind: string,
    icon: IconNode,
    href: string,
  ): Findable => ({ id, text, kind, icon, run: () => go(href) })
  return [
    async (signal) =>
      (await fetchData('alert-channels.list', { ...list, signal })).map(({ id, name: text }) =>
        entry({ id, text }, places.channels, Bell, `/app/channels/${id}`),
      ),
    async (signal) =>
      (await fetchData('status-pages.list', { ...list, signal })).map(({ id, name: text }) =>
        entry({ id, text }, places.pages, Globe, `/app/pages/${id}`),
      ),
    async (signal) =>
      (await fetchData('incidents.list', { ...list, signal })).map(({ id, title: text }) =>
        entry({ id, text }, places.incidents, Siren, `/app/incidents/${id}`),
      ),
    async (signal) =>
      (await fetchData('maintenance-windows.list', { ...list, signal })).map(({ id, name: text }) =>
        entry({ id, text }, places.maintenance, CalendarClock, '/app/maintenance'),
      ),
    async (signal) =>
      (await fetchData('locations.list', { ...list, signal })).map(({ id, name: text }) =>
        entry({ id, text }, places.locations, MapPin, '/app/locations'),
      ),
    async (signal) =>
      (await fetchData('members.list', { ...list, signal })).map(({ userId: id, email: text }) =>
        entry({ id, text }, places.people, User, '/app/people'),
      ),
  ]
}
