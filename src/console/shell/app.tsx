// The frame of every page: navigation, organization, connection; and what lies above pages.
import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { LocationProvider, useLocation } from 'preact-iso'
import { connection } from '../api/live.ts'
import type { ApiProblem } from '../api/problem.ts'
import { onShortcut } from '../base/shortcuts.ts'
import { Toasts, tell } from '../parts/dialog/toast.tsx'
import { Moved } from '../parts/page/elsewhere.tsx'
import { Guard } from '../parts/page/guard.tsx'
import { ProblemNote } from '../parts/page/problem-note.tsx'
import { openMonitors } from '../stores/monitors.ts'
import {
  chooseOrganization,
  inOrganization,
  isLeaving,
  organization,
  session,
  takeGreeting,
} from '../stores/session.ts'
import { chooseTheme, theme, themes } from '../stores/theme.ts'
import { words } from '../words/words.ts'
import { TroublesBanner, useTroubles } from './channel-troubles.tsx'
import { HelpDialog } from './keyboard.tsx'
import { NoOrganization } from './no-organization.tsx'
import { Palette, palette } from './palette.tsx'
import { openPlaces } from './places.ts'
import { RenewalDialog } from './renewal.tsx'
import { Routes } from './routes.tsx'

export function App({ failure }: { readonly failure: ApiProblem | undefined }) {
  if (failure) return <ProblemNote problem={failure} onRetry={() => location.reload()} />
  return (
    <LocationProvider scope="/app">
      <Frame />
    </LocationProvider>
  )
}

function Frame() {
  const isMenuOpen = useSignal(false)
  const { path } = useLocation()
  const isSetup = path === '/app/setup'
  const isStranger = session.value === null && !isSetup && path !== '/app/wall'
  useEffect(() => {
    // The sign-in page of the service knows every way to sign in.
    if (isStranger && !isLeaving())
      location.replace(
        `/sign-in?redirectUri=${encodeURIComponent(location.pathname + location.search)}`,
      )
  }, [isStranger])
  useEffect(
    () =>
      onShortcut(
        'k',
        () => {
          palette.value = true
        },
        { withControl: true },
      ),
    [],
  )
  useEffect(() => {
    const email = session.peek() && takeGreeting()
    if (email) tell(words.value.shell.signIn.nowSignedIn({ email }))
  }, [])
  useOrganizationOfAddress()
  const shownOrgId = organization.value?.id
  useEffect(() => {
    // Every page names monitors, and the palette finds them.
    if (shownOrgId !== undefined) openMonitors()
  }, [shownOrgId])
  const troubles = useTroubles(path === '/app/wall' ? undefined : shownOrgId)
  useEffect(() => {
    isMenuOpen.value = false
  }, [path, isMenuOpen])
  if (path === '/app/wall') return <Routes />
  if (isStranger) return null
  const { shell } = words.value
  return (
    <>
      <a class="skip" href="#content">
        {shell.skip}
      </a>
      <header class={isMenuOpen.value ? 'bar is-open' : 'bar'}>
        <a class="brand" href={inOrganization('/app')}>
          {shell.product}
        </a>
        <button
          type="button"
          class="menu-button"
          aria-expanded={isMenuOpen.value}
          aria-controls="menu"
          onClick={() => {
            isMenuOpen.value = !isMenuOpen.value
          }}
        >
          {shell.menu}
        </button>
        <div class="menu" id="menu">
          {session.value && <Navigation path={path} troubled={troubles?.channelsTotal ?? 0} />}
          <div class="bar-end">
            <button
              type="button"
              class="quiet"
              onClick={() => {
                palette.value = true
              }}
            >
              {shell.palette.title} <kbd>Ctrl K</kbd>
            </button>
            <OrganizationChoice />
            <ThemeChoice />
            <ConnectionMark />
          </div>
        </div>
      </header>
      <TroublesBanner troubles={troubles} />
      <main id="content" tabIndex={-1}>
        <Moved path={path} />
        <Guard path={path}>
          {needsOrganization(path) && organization.value === undefined ? (
            <NoOrganization />
          ) : (
            <Routes key={organization.value?.id} />
          )}
        </Guard>
      </main>
      <Toasts />
      {palette.value && <Palette />}
      <HelpDialog />
      <RenewalDialog />
    </>
  )
}

/**
 * The address of a list names the organization, so that a copied link shows the same. An address that
 * names another one, such as that link or the one before a choice, shows that one.
 */
function useOrganizationOfAddress(): void {
  const { url, path, query, route } = useLocation()
  const shownOrgId = organization.value?.id
  const namedOrgId = query.org
  useLayoutEffect(() => {
    if (shownOrgId === undefined || shownOrgId === namedOrgId) return
    const isOwn = session.peek()?.organizations.some(({ id }) => id === namedOrgId)
    if (namedOrgId !== undefined && isOwn) {
      chooseOrganization(namedOrgId)
      return
    }
    if (namedOrgId !== undefined)
      tell(words.value.shell.notMember({ name: organization.peek()?.name ?? '' }))
    if (!needsOrganization(path)) return
    const address = inOrganization(url)
    if (address !== url) route(address, true)
  }, [url, shownOrgId])
}

/** Some pages are for people who are in none. */
const needsOrganization = (path: string) => !/^\/app\/(setup|profile|system)\b/.test(path)

interface NavigationProps {
  readonly path: string
  /** How many channels alerts do not reach. */
  readonly troubled: number
}

function Navigation({ path, troubled }: NavigationProps) {
  const { places, navigation, troubles } = words.value.shell
  const isHere = (href: string) =>
    href === '/app' ? path === href || path.startsWith('/app/monitors') : path.startsWith(href)
  return (
    <nav aria-label={navigation}>
      {openPlaces().map(({ name, href }) => (
        <a
          key={name}
          href={needsOrganization(href) ? inOrganization(href) : href}
          aria-current={isHere(href) ? 'page' : undefined}
        >
          {places[name]}
          {name === 'channels' && troubled > 0 && (
            <span class="nav-mark" title={troubles.channels({ count: troubled })}>
              <span class="hidden">{troubles.channels({ count: troubled })}</span>
            </span>
          )}
        </a>
      ))}
    </nav>
  )
}

function OrganizationChoice() {
  const { url, path, route } = useLocation()
  const organizations = session.value?.organizations ?? []
  if (organizations.length < 2) return null
  function choose(id: string): void {
    // What a page below a list shows belongs to one organization.
    const [, , area = '', below] = path.split('/')
    const list = area === 'monitors' ? '/app' : `/app/${area}`
    if (needsOrganization(path)) route(inOrganization(below === undefined ? url : list, id))
    chooseOrganization(id)
  }
  return (
    <select
      aria-label={words.value.shell.organization}
      value={organization.value?.id}
      onChange={({ currentTarget: { value } }) => choose(value)}
    >
      {organizations.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

function ThemeChoice() {
  const texts = words.value.shell.theme
  return (
    <select
      aria-label={texts.label}
      value={theme.value}
      onChange={({ currentTarget }) =>
        chooseTheme(themes.find((one) => one === currentTarget.value) ?? 'auto')
      }
    >
      {themes.map((one) => (
        <option key={one} value={one}>
          {texts[one]}
        </option>
      ))}
    </select>
  )
}

function ConnectionMark() {
  if (organization.value === undefined) return null
  const text = words.value.shell.live[connection.value]
  return (
    <span class={`connection is-${connection.value}`} role="status" title={text}>
      <span class={connection.value === 'lost' ? '' : 'hidden'}>{text}</span>
    </span>
  )
}
