// The bar beside every page: where one may go, the organization, groups of monitors with their worst state,
// the account. On a phone it is a line at the top that opens.
import { useComputed, useSignal } from '@preact/signals'
import {
  BookOpen,
  Building2,
  CircleUser,
  LogOut,
  Menu as MenuIcon,
  PanelLeft,
  Plus,
  ScrollText,
  Search,
  X,
} from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { connection } from '../api/live.ts'
import { guideOfPlace } from '../base/guide.ts'
import { act } from '../parts/dialog/act.ts'
import { Menu } from '../parts/dialog/menu.tsx'
import { ThemeChoice } from '../parts/page/theme-choice.tsx'
import { Icon } from '../parts/text/icon.tsx'
import { Mark, showInTab } from '../parts/text/mark.tsx'
import { followHealth, health } from '../stores/health.ts'
import { areMonitorsAnswered } from '../stores/monitors.ts'
import {
  chooseOrganization,
  inOrganization,
  organization,
  session,
  signOut,
} from '../stores/session.ts'
import { language, words } from '../words/words.ts'
import { Bell } from './bell.tsx'
import { openKeys } from './keyboard.tsx'
import { palette } from './palette.tsx'
import { needsOrganization, openPlaces, placeIcons } from './places.ts'
import { Groups, worstTone } from './side-groups.tsx'

const foldedKey = 'stillup.sideBar'

export interface SideBarProps {
  /** How many channels alerts do not reach. */
  readonly troubled: number
}

export function SideBar({ troubled }: SideBarProps) {
  const { path } = useLocation()
  const isOpen = useSignal(false)
  const isFolded = useSignal(localStorage.getItem(foldedKey) === 'folded')
  const { shell } = words.value
  // Asked for at once, they would be in the way of the monitors.
  const mayAskMore = useRef(false)
  const areAnswered = useComputed(areMonitorsAnswered).value
  mayAskMore.current ||= areAnswered
  const tone = worstTone.value
  useEffect(() => showInTab(tone), [tone])
  useEffect(() => {
    isOpen.value = false
  }, [path, isOpen])
  function fold(): void {
    isFolded.value = !isFolded.value
    localStorage.setItem(foldedKey, isFolded.value ? 'folded' : 'open')
  }
  const classes = ['side', isOpen.value && 'is-open', isFolded.value && 'is-folded']
  return (
    <header class={classes.filter(Boolean).join(' ')}>
      <div class="side-head">
        <a class="brand" href={inOrganization('/app')}>
          <Mark tone={tone} />
          <span class="side-text">{shell.product}</span>
        </a>
        <ConnectionMark />
        <button
          type="button"
          class="icon fold-button"
          aria-label={isFolded.value ? shell.unfold : shell.fold}
          title={isFolded.value ? shell.unfold : shell.fold}
          onClick={fold}
        >
          <Icon of={PanelLeft} />
        </button>
        <button
          type="button"
          class="icon menu-button"
          aria-expanded={isOpen.value}
          aria-controls="menu"
          aria-label={shell.menu}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          <Icon of={isOpen.value ? X : MenuIcon} />
        </button>
      </div>
      <div class="side-menu" id="menu">
        <OrganizationChoice />
        <button
          type="button"
          class="side-search"
          title={shell.palette.title}
          onClick={() => (palette.value = true)}
        >
          <Icon of={Search} />
          <span class="side-text">{shell.palette.title}</span>
          <kbd class="side-text">Ctrl K</kbd>
        </button>
        {mayAskMore.current && session.value && organization.value && (
          <Bell orgId={organization.value.id} />
        )}
        {session.value && (
          <Navigation path={path} troubled={troubled} hasHealth={mayAskMore.current} />
        )}
        <Groups />
        <div class="side-foot">
          <GuideLink />
          {session.value && <Account email={session.value.user.email} />}
          <ThemeChoice />
        </div>
      </div>
    </header>
  )
}

interface NavigationProps extends SideBarProps {
  readonly path: string
  readonly hasHealth: boolean
}

function Navigation({ path, troubled, hasHealth }: NavigationProps) {
  const { places, navigation, troubles } = words.value.shell
  const isHere = (href: string) =>
    href === '/app' ? path === href || path.startsWith('/app/monitors') : path.startsWith(href)
  return (
    <nav aria-label={navigation}>
      {openPlaces().map(({ name, href }) => (
        <a
          key={name}
          class="side-link"
          href={needsOrganization(href) ? inOrganization(href) : href}
          aria-current={isHere(href) ? 'page' : undefined}
          title={places[name]}
        >
          <Icon of={placeIcons[name]} />
          <span class="side-text">{places[name]}</span>
          {name === 'system' && hasHealth && <HealthCount />}
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

/** How much is wrong with the installation; nothing where all is well. */
function HealthCount() {
  const text = words.value.shell.healthCount
  useEffect(followHealth, [])
  const count = health.value?.findingCounts.problem ?? 0
  if (count === 0) return null
  return (
    <span class="nav-count" title={text({ count })}>
      <span aria-hidden="true">{count}</span>
      <span class="hidden">{text({ count })}</span>
    </span>
  )
}

function OrganizationChoice() {
  const { url, path, route } = useLocation()
  const organizations = session.value?.organizations ?? []
  const shown = organization.value
  if (shown === undefined) return null
  const texts = words.value.shell
  function choose(id: string): void {
    // What a page below a list shows belongs to one organization.
    const [, , area = '', below] = path.split('/')
    const list = area === 'monitors' ? '/app' : `/app/${area}`
    if (needsOrganization(path)) route(inOrganization(below === undefined ? url : list, id))
    chooseOrganization(id)
  }
  return (
    <div class="side-choice">
      <Menu
        label={texts.organizationNow({ name: shown.name })}
        items={[
          ...organizations.map(({ id, name }) => ({
            text: name,
            isChosen: id === shown.id,
            onSelect: () => choose(id),
          })),
          { text: texts.newOrganization.open, icon: Plus, href: '/app/organizations/new' },
        ]}
      >
        <Icon of={Building2} />
        <span class="side-text">{shown.name}</span>
      </Menu>
    </div>
  )
}

/** Opens beside the console, so that nothing is lost that somebody is about to do. */
function GuideLink() {
  const { url } = useLocation()
  const { guide } = words.value.shell
  return (
    <a
      class="side-link"
      href={guideOfPlace(url, language.value)}
      target="_blank"
      rel="noopener"
      title={guide}
    >
      <Icon of={BookOpen} />
      <span class="side-text">{guide}</span>
    </a>
  )
}

function Account({ email }: { readonly email: string }) {
  const { account, places, apiReference, help, signOut: signOutText } = words.value.shell
  return (
    <div class="side-choice">
      <Menu
        label={account({ email })}
        items={[
          { text: places.profile, icon: CircleUser, href: '/app/profile' },
          { text: help.title, icon: Search, onSelect: openKeys },
          { text: apiReference, icon: ScrollText, href: '/docs' },
          { text: signOutText, icon: LogOut, onSelect: () => void act(signOut) },
        ]}
      >
        <Icon of={CircleUser} />
        <span class="side-text">{email}</span>
      </Menu>
    </div>
  )
}

function ConnectionMark() {
  if (organization.value === undefined) return null
  const text = words.value.shell.live[connection.value]
  return (
    <span class={`connection is-${connection.value}`} role="status" title={text}>
      <span class="hidden">{text}</span>
    </span>
  )
}
