// The pages of the console by their address. Each is loaded when it is first opened.

import type { ComponentType } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { Route, Router, useLocation } from 'preact-iso/router'
import { later } from '../parts/page/later.tsx'
import { Page } from '../parts/page/page.tsx'
import { isOperator, mayAs, session } from '../stores/session.ts'
import { words } from '../words/words.ts'

const Overview = later(() =>
  import('../pages/overview/overview-page.tsx').then((m) => m.OverviewPage),
)
const Monitor = later(() => import('../pages/monitors/monitor-page.tsx').then((m) => m.MonitorPage))
const NewMonitor = later(() =>
  import('../pages/monitors/editor/editor-page.tsx').then((m) => m.NewMonitorPage),
)
const EditMonitor = later(() =>
  import('../pages/monitors/editor/editor-page.tsx').then((m) => m.EditMonitorPage),
)

const Incidents = later(() =>
  import('../pages/incidents/incidents-page.tsx').then((m) => m.IncidentsPage),
)
const Incident = later(() =>
  import('../pages/incidents/incident-page.tsx').then((m) => m.IncidentPage),
)
const Channels = later(() =>
  import('../pages/channels/channels-page.tsx').then((m) => m.ChannelsPage),
)
const NewChannel = later(() =>
  import('../pages/channels/new-channel-page.tsx').then((m) => m.NewChannelPage),
)
const Channel = later(() => import('../pages/channels/channel-page.tsx').then((m) => m.ChannelPage))
const Maintenance = later(() =>
  import('../pages/maintenance/maintenance-page.tsx').then((m) => m.MaintenancePage),
)
const Locations = later(() =>
  import('../pages/locations/locations-page.tsx').then((m) => m.LocationsPage),
)
const StatusPages = later(() =>
  import('../pages/status-pages/status-pages-page.tsx').then((m) => m.StatusPagesPage),
)
const NewStatusPage = later(() =>
  import('../pages/status-pages/new-status-page.tsx').then((m) => m.NewStatusPage),
)
const StatusPage = later(() =>
  import('../pages/status-pages/status-page.tsx').then((m) => m.StatusPage),
)
const Import = later(() => import('../pages/moving/import-page.tsx').then((m) => m.ImportPage))
const Imported = later(() =>
  import('../pages/moving/imported-page.tsx').then((m) => m.ImportedPage),
)
const People = later(() => import('../pages/people/people-page.tsx').then((m) => m.PeoplePage))
const NewOrganization = later(() =>
  import('../pages/people/new-organization-page.tsx').then((m) => m.NewOrganizationPage),
)
const Profile = later(() => import('../pages/profile/profile-page.tsx').then((m) => m.ProfilePage))
const System = later(() => import('../pages/system/system-page.tsx').then((m) => m.SystemPage))
const Setup = later(() => import('../pages/setup/setup-page.tsx').then((m) => m.SetupPage))
/** Only a build for development has the page. */
const Look = isForDevelopment
  ? later(() => import('../pages/look/look-page.tsx').then((m) => m.LookPage))
  : NotFound
const Wall = later(() => import('../pages/wall/wall-page.tsx').then((m) => m.WallPage))

/** People whose role does not allow a page are told so, in place of the page. */
const only = (may: () => boolean, Shown: ComponentType) => () => (may() ? <Shown /> : <ReadOnly />)
const forMembers = (Shown: ComponentType) => only(() => mayAs('member'), Shown)
const forAdmins = (Shown: ComponentType) => only(() => mayAs('admin'), Shown)

const BringIn = forAdmins(Import)
const BroughtIn = forAdmins(Imported)
const AddMonitor = forMembers(NewMonitor)
const ChangeMonitor = forMembers(EditMonitor)
const AddChannel = forAdmins(NewChannel)
const AddStatusPage = forAdmins(NewStatusPage)
const OperatorsSystem = only(() => isOperator.value, System)
// Its first step is for people without an account.
const FirstRun = only(() => !session.value || mayAs('member'), Setup)

export function Routes() {
  return (
    <Router onRouteChange={() => window.scrollTo(0, 0)}>
      <Route path="/app" component={Overview} />
      <Route path="/app/monitors/new" component={AddMonitor} />
      <Route path="/app/monitors/:monitorId" component={Monitor} />
      <Route path="/app/monitors/:monitorId/edit" component={ChangeMonitor} />
      <Route path="/app/incidents" component={Incidents} />
      <Route path="/app/incidents/:incidentId" component={Incident} />
      <Route path="/app/channels" component={Channels} />
      <Route path="/app/channels/new" component={AddChannel} />
      <Route path="/app/channels/:channelId" component={Channel} />
      <Route path="/app/maintenance" component={Maintenance} />
      <Route path="/app/locations" component={Locations} />
      <Route path="/app/pages" component={StatusPages} />
      <Route path="/app/pages/new" component={AddStatusPage} />
      <Route path="/app/pages/:statusPageId" component={StatusPage} />
      <Route path="/app/status-pages/:rest*" component={StatusPagesElsewhere} />
      <Route path="/app/import" component={BringIn} />
      <Route path="/app/imports/:importId" component={BroughtIn} />
      <Route path="/app/people" component={People} />
      <Route path="/app/organizations/new" component={NewOrganization} />
      <Route path="/app/profile" component={Profile} />
      <Route path="/app/system" component={OperatorsSystem} />
      <Route path="/app/setup" component={FirstRun} />
      <Route path="/app/wall" component={Wall} />
      <Route path="/app/look" component={Look} />
      <Route default component={NotFound} />
    </Router>
  )
}

/** People take the name in the navigation for the address: they are led to where the pages are. */
function StatusPagesElsewhere() {
  const { url, route } = useLocation()
  useLayoutEffect(() => route(url.replace(/^\/app\/status-pages/, '/app/pages'), true), [url])
  return null
}

function ReadOnly() {
  const { shell, common } = words.value
  return (
    <Page title={common.problems.forbidden}>
      <p>
        <a class="button" href="/app">
          {shell.notFound.home}
        </a>
      </p>
    </Page>
  )
}

function NotFound() {
  const { notFound } = words.value.shell
  return (
    <Page title={notFound.title}>
      <p>
        <a class="button" href="/app">
          {notFound.home}
        </a>
      </p>
    </Page>
  )
}
