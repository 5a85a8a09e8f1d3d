// The frame of every page: navigation, organization, connection; and what lies above pages.
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { ApiProblem } from '../api/problem.ts'
import { inward, outward } from '../base/base-path.ts'
import { onShortcut } from '../base/shortcuts.ts'
import { Toasts, tell } from '../parts/dialog/toast.tsx'
import { Moved } from '../parts/page/elsewhere.tsx'
import { Guard } from '../parts/page/guard.tsx'
import { ProblemNote } from '../parts/page/problem-note.tsx'
import { prepareTexts } from '../parts/text/time.tsx'
import { openMonitors } from '../stores/monitors.ts'
import {
  chooseOrganization,
  inOrganization,
  isLeaving,
  organization,
  session,
  takeGreeting,
} from '../stores/session.ts'
import { words } from '../words/words.ts'
import { TroublesBanner, useTroubles } from './channel-troubles.tsx'
import { HelpDialog } from './keyboard.tsx'
import { NoOrganization } from './no-organization.tsx'
import { OwnLocation } from './own-location.tsx'
import { Palette, palette } from './palette.tsx'
import { needsOrganization } from './places.ts'
import { RenewalDialog } from './renewal.tsx'
import { Routes } from './routes.tsx'
import { SideBar } from './side-bar.tsx'

export function App({ failure }: { readonly failure: ApiProblem | undefined }) {
  if (failure) return <ProblemNote problem={failure} onRetry={() => location.reload()} />
  return (
    <OwnLocation>
      <Frame />
    </OwnLocation>
  )
}

function Frame() {
  const { path } = useLocation()
  const isSetup = path === '/app/setup'
  const isStranger = session.value === null && !isSetup && path !== '/app/wall'
  useEffect(() => {
    // The sign-in page of the service knows every way to sign in.
    if (isStranger && !isLeaving())
      location.replace(
        outward(
          `/sign-in?redirectUri=${encodeURIComponent(inward(location.pathname) + location.search)}`,
        ),
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
    // The time until they are here is free.
    prepareTexts()
  }, [shownOrgId])
  const troubles = useTroubles(path === '/app/wall' ? undefined : shownOrgId)
  if (path === '/app/wall') return <Routes />
  if (isStranger) return null
  const { shell } = words.value
  return (
    <>
      <a class="skip" href="#content">
        {shell.skip}
      </a>
      <SideBar troubled={troubles?.channelsTotal ?? 0} />
      <div class="stage">
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
      </div>
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
